//! Functions that only compute or look something up. A function that is not here counts as one that writes.

use super::{Client, has};

/// Schemas whose functions are the server's own.
const SCHEMAS: &str = "\
    pg_catalog safe net hll_count keys aead sys information_schema dbms_lob";

/// Aggregates.
const AGGREGATES: &str = "\
    count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg json_object_agg \
    jsonb_object_agg xmlagg bool_and bool_or every bit_and bit_or bit_xor stddev stddev_pop stddev_samp stdev stdevp \
    std variance var varp var_pop var_samp corr covar_pop covar_samp regr_slope regr_intercept regr_r2 regr_count \
    regr_avgx regr_avgy regr_sxx regr_syy regr_sxy median mode percentile_cont percentile_disc approx_count_distinct \
    approx_quantiles approx_top_count approx_top_sum approx_percentile any_value count_if countif count_big listagg \
    grouping grouping_id range_agg range_intersect_agg logical_and logical_or array_concat_agg first last arg_max \
    arg_min max_by min_by checksum_agg json_group_array json_group_object json_arrayagg json_objectagg ntile \
    row_number rank dense_rank percent_rank cume_dist lag lead first_value last_value nth_value histogram quantile \
    quantile_cont quantile_disc list product wm_concat";
/// Numbers.
const NUMBERS: &str = "\
    abs acos acosh asin asinh atan atan2 atanh atn2 cbrt ceil ceiling conv cos cosh cot crc32 degrees div erf erfc \
    exp factorial floor format gamma gcd greatest lcm least lgamma ln log log10 log2 min_scale mod pi pow power \
    radians rand random random_normal round scale sign sin sinh sqrt square tan tanh trim_scale trunc truncate \
    width_bucket num_nulls num_nonnulls safe_divide safe_cast ieee_divide is_nan is_inf isnan isfinite bit_count \
    bit_length sha sha1 sha2 sha224 sha256 sha384 sha512 md5 farm_fingerprint hashbytes hashtext checksum \
    binary_checksum ora_hash hash xxhash64 generate_uuid gen_random_uuid uuid uuid_generate_v4 uuidv4 uuidv7 newid \
    sys_guid uuid_short uuid_to_bin bin_to_uuid is_uuid digest hmac randomblob zeroblob even remainder nanvl get_bit \
    get_byte";
/// Texts.
const TEXTS: &str = "\
    ascii bin btrim char char_length character_length chr concat concat_ws convert convert_from convert_to decode \
    difference elt encode export_set field find_in_set from_base64 from_hex glob hex initcap instr lcase left len \
    length lengthb levenshtein levenshtein_less_equal like locate lower lpad ltrim make_set metaphone dmetaphone mid \
    nchar normalize octet_length datalength oct ord overlay parse_ident patindex position printf quote quote_ident \
    quote_literal quote_nullable quotename repeat replace replicate reverse right rpad rtrim similarity \
    word_similarity show_trgm soundex space split split_part starts_with ends_with str strcmp strpos stuff substr \
    substrb substring substring_index contains contains_substr prefix suffix string_split string_to_array \
    string_to_table string_escape array_to_string to_base64 to_hex to_bin to_oct to_ascii translate trim ucase \
    unaccent unhex unicode unistr upper weight_string regexp_matches regexp_match regexp_replace regexp_like \
    regexp_substr regexp_instr regexp_count regexp_extract regexp_extract_all regexp_contains regexp_split_to_array \
    regexp_split_to_table regexp_full_match code_points_to_string to_code_points safe_convert_bytes_to_string \
    edit_distance compress uncompress inet_aton inet_ntoa inet6_aton inet6_ntoa host masklen netmask network \
    broadcast hostmask family abbrev inet_same_family set_masklen text typeof pg_typeof pg_column_size coercibility \
    collation charset match against";
/// Dates.
const DATES: &str = "\
    adddate addtime age clock_timestamp convert_tz curdate current_date current_time current_timestamp \
    current_datetime curtime date date_add date_bin date_diff date_format date_part date_sub date_trunc dateadd \
    datediff datediff_big datefromparts datename datepart datetrunc datetime datetime_add datetime_diff datetime_sub \
    datetime_trunc day dayname dayofmonth dayofweek dayofyear eomonth epoch epoch_ms extract extract_date \
    format_date format_datetime format_time format_timestamp from_days from_unixtime from_tz get_format getdate \
    getutcdate hour isoyear isoweek julian julianday justify_days justify_hours justify_interval last_day localtime \
    localtimestamp make_date make_interval make_time make_timestamp make_timestamptz makedate maketime microsecond \
    minute month monthname months_between add_months next_day now parse_date parse_datetime parse_time \
    parse_timestamp period_add period_diff quarter sec_to_time second statement_timestamp str_to_date strftime \
    strptime subdate subtime switchoffset sysdate sysdatetime sysdatetimeoffset sysutcdatetime systimestamp time \
    time_add time_diff time_format time_sub time_to_sec time_trunc timediff timefromparts timeofday timestamp \
    timestamp_add timestamp_diff timestamp_micros timestamp_millis timestamp_seconds timestamp_sub timestamp_trunc \
    timestampadd timestampdiff timezone to_char to_clob to_date to_days to_dsinterval to_number to_seconds \
    to_timestamp to_timestamp_tz to_yminterval transaction_timestamp trunc tzoffset unix_date unix_micros \
    unix_millis unix_seconds unix_timestamp unixepoch utc_date utc_time utc_timestamp week weekday weekofyear year \
    yearweek time_bucket time_bucket_gapfill locf interpolate numtodsinterval numtoyminterval datetimefromparts \
    todatetimeoffset isdate";
/// Choices and types.
const CHOICES: &str = "\
    coalesce nullif ifnull isnull nvl nvl2 if iif choose zeroifnull nullifzero cast try_cast try_convert try_parse \
    parse int integer bigint double float64 int64 numeric bignumeric string bytes bool boolean row struct map array \
    tuple unnest isnumeric nullvalue likely unlikely likelihood sqlite_version sqlite_source_id \
    sqlite_compileoption_used sqlite_compileoption_get last_insert_rowid changes total_changes last_insert_id \
    row_count found_rows scope_identity lastval currval ident_current iff values rollup cube lnnvl";
/// Documents, arrays, ranges, search.
const DOCUMENTS: &str = "\
    json json_array json_object json_query json_value json_exists json_table json_scalar json_serialize jsonb \
    openjson isjson row_to_json array_to_json to_json to_jsonb to_json_string parse_json hstore akeys avals skeys \
    svals each slice populate_record xpath xpath_exists xmlparse xmlserialize xmlelement xmlforest xmlconcat \
    xmlcomment xmlpi xmlroot xml_is_well_formed extractvalue updatexml xmltable array_append array_cat array_concat \
    array_contains array_dims array_distinct array_fill array_first array_last array_length array_lower array_ndims \
    array_position array_positions array_prepend array_remove array_replace array_reverse array_sample array_shuffle \
    array_slice array_sort array_transform array_filter array_upper cardinality trim_array generate_array \
    generate_date_array generate_timestamp_array generate_series generate_subscripts list_value struct_pack range \
    list_contains list_aggregate list_distinct list_sort list_transform list_filter element_at map_keys map_values \
    flatten explode posexplode sequence size sort sort_asc sort_desc idx icount uniq intset subarray int4range \
    int8range numrange tsrange tstzrange daterange int4multirange int8multirange nummultirange tsmultirange \
    tstzmultirange datemultirange isempty lower_inc lower_inf upper_inc upper_inf range_merge multirange to_tsvector \
    to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline ts_lexize \
    ts_debug ts_parse ts_token_type ts_delete ts_filter setweight strip numnode querytree tsvector_to_array \
    array_to_tsvector get_current_ts_config bm25 highlight snippet matchinfo offsets point box circle lseg path \
    polygon line area center diameter height width radius isclosed isopen npoints pclose cosine_distance l2_distance \
    l1_distance inner_product vector_dims vector_norm subvector json_each json_tree jsonb_each jsonb_tree \
    earth_distance ll_to_earth cube_distance nlevel subpath subltree ltree2text text2ltree lca enum_first enum_last \
    enum_range pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info \
    pragma_index_xinfo pragma_foreign_key_list pragma_foreign_key_check pragma_database_list pragma_function_list \
    pragma_compile_options pragma_collation_list pragma_integrity_check pragma_quick_check fts5vocab dbstat \
    sqlite_offset";
/// The server and the session.
const SERVER: &str = "\
    version database schema user current_user session_user system_user current_role current_catalog current_schema \
    current_schemas current_database current_query current_setting connection_id pg_backend_pid \
    pg_postmaster_start_time pg_conf_load_time pg_blocking_pids pg_safe_snapshot_blocking_pids inet_client_addr \
    inet_client_port inet_server_addr inet_server_port pg_table_size pg_relation_size pg_total_relation_size \
    pg_indexes_size pg_database_size pg_tablespace_size pg_size_pretty pg_size_bytes pg_relation_filenode \
    pg_relation_filepath pg_filenode_relation pg_column_compression pg_table_is_visible pg_type_is_visible \
    pg_function_is_visible pg_opclass_is_visible pg_operator_is_visible pg_collation_is_visible pg_encoding_to_char \
    pg_char_to_encoding pg_describe_object pg_identify_object pg_identify_object_as_address \
    pg_index_column_has_property pg_index_has_property pg_indexam_has_property pg_options_to_table \
    pg_tablespace_databases pg_tablespace_location pg_is_in_recovery pg_is_wal_replay_paused pg_is_in_backup \
    pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_current_wal_lsn \
    pg_current_wal_insert_lsn pg_current_wal_flush_lsn pg_wal_lsn_diff pg_walfile_name pg_walfile_name_offset pg_lsn \
    pg_current_xact_id_if_assigned pg_current_snapshot pg_visible_in_snapshot pg_snapshot_xmin pg_snapshot_xmax \
    pg_snapshot_xip pg_xact_status pg_xact_commit_timestamp txid_current_if_assigned txid_current_snapshot \
    txid_snapshot_xmin txid_status pg_my_temp_schema pg_is_other_temp_schema pg_jit_available pg_listening_channels \
    pg_notification_queue_usage pg_trigger_depth pg_show_all_settings pg_settings_get_flags pg_lock_status \
    pg_partition_root pg_partition_tree pg_partition_ancestors pg_timezone_names pg_timezone_abbrevs \
    pg_available_extensions pg_available_extension_versions pg_cursor pg_prepared_statement pg_prepared_xact \
    pg_collation_actual_version pg_sequence_last_value pg_sequence_parameters pg_hba_file_rules pg_control_system \
    pg_control_checkpoint pg_input_is_valid pg_input_error_info pg_basetype pgstattuple pgstattuple_approx \
    pgstatindex pg_freespace pg_buffercache_summary pg_buffercache_pages pg_visibility pg_visibility_map \
    pg_stat_statements format_type col_description obj_description shobj_description to_regclass to_regtype \
    to_regproc to_regprocedure to_regnamespace to_regrole to_regoper acldefault aclexplode makeaclitem \
    row_security_active pg_has_role object_id object_name object_schema_name object_definition db_id db_name \
    schema_id schema_name type_id type_name col_name col_length columnproperty databaseproperty databasepropertyex \
    serverproperty sessionproperty objectproperty objectpropertyex indexproperty index_col stats_date suser_sname \
    suser_name suser_id user_name user_id is_member is_srvrolemember is_rolemember has_perms_by_name original_login \
    host_name app_name host_id error_message error_number error_line error_severity error_state error_procedure \
    xact_state sys_context userenv uid dump rowidtochar format_bytes format_pico_time ps_current_thread_id \
    ps_thread_id statement_digest statement_digest_text uptime hostname session_id";
/// Names that are the same in most servers, by what they are about.
const COMMON: &[&str] = &[AGGREGATES, NUMBERS, TEXTS, DATES, CHOICES, DOCUMENTS, SERVER];

/// Families, by how their names begin.
const BEGINNINGS: &str = "\
    json_ jsonb_ st_ regexp_ pg_get_ pg_stat_get_ pg_ts_ has_ bit_ array_ list_ map_ xml mbr decode_ approx_ is_ipv \
    percentile_ geo_ h3_ s2_ fnv_ date_ time_ parse_url url_ dm_exec_ dm_db_ dm_os_";

/// ClickHouse names its functions in one word; these are their beginnings.
const CLICKHOUSE: &str = "\
    to array uniq quantile arg group date add subtract has is not string split extract json simplejson visitparam \
    tuple map if multiif count sum avg min max top format parse cut domain path url protocol query topleveldomain \
    firstsignificantsubdomain position multisearch multimatch match replace concat lower upper base64 base58 hex \
    unhex bit round int modulo greater less equals notequals and or xor cityhash siphash murmur xxhash farmhash \
    metrohash halfmd5 ipv4 ipv6 geo greatcircle numbers zeros generaterandom merge cluster remote view values dict \
    now today yesterday timeslot time runningdifference runningaccumulate neighbor row rank dense lag lead first \
    last retention window sequence histogram entropy covar corr stddev var skew kurt median delta exponential \
    simplelinear stochastic assumenotnull nullif coalesce ifnull empty length reverse substring left right trim \
    repeat like ilike cast accuratecast reinterpret generateuuid generateulid uuid formatreadable bar transform \
    least exp log sqrt pow abs sign ceil floor trunc rand plus minus multiply divide negate gcd lcm range arrayjoin \
    materialize identity throwif version hostname uptime timezone current database user blocknumber displayname \
    getsetting gethttpheader tokens ngrams dateadd datediff from fuzzbits finalizeaggregation initializeaggregation \
    l1 l2 linf cosinedistance normalize mann student welch kolmogorov monthname year month quarter week day hour \
    minute second snowflake translate initcap soundex leftpad rightpad encode decode char ascii space startswith \
    endswith total largesttriangle flame";
/// ClickHouse functions that start with one of those and run or reach something else.
const CLICKHOUSE_BUT: &[&str] = &["executable", "input"];

/// DuckDB reads files and other databases through functions.
const DUCKDB: &str = "\
    read_csv read_csv_auto read_parquet parquet_scan parquet_metadata parquet_schema read_json read_json_auto \
    read_ndjson read_text read_blob glob duckdb_tables duckdb_columns duckdb_views duckdb_settings duckdb_functions \
    duckdb_databases duckdb_schemas duckdb_indexes duckdb_extensions iceberg_scan delta_scan sniff_csv csv_scan \
    json_scan";

/// Whether a function only reads, by its schema and name.
pub(super) fn reads(schema: Option<&str>, name: &str, client: Client) -> bool {
    let name = name.to_ascii_lowercase();
    if let Some(schema) = schema {
        let schema = schema.trim_matches(['"', '`', '[', ']']).to_ascii_lowercase();
        if !has(SCHEMAS, &schema) {
            return false;
        }
    }
    COMMON.iter().any(|group| has(group, &name))
        || BEGINNINGS.split_ascii_whitespace().any(|start| name.starts_with(start))
        || client == Client::Clickhouse
            && !CLICKHOUSE_BUT.contains(&name.as_str())
            && CLICKHOUSE.split_ascii_whitespace().any(|start| name.starts_with(start))
        || client == Client::Duckdb && has(DUCKDB, &name)
}
