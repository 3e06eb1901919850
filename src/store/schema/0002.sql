ALTER TABLE decision ADD COLUMN policy_digest TEXT;
