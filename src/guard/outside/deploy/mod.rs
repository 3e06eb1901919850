//! Tools of hosts and platforms: which app, stage or project they change.

mod clusters;
mod hosted;
mod platforms;
mod staged;

use super::table::look_up;
use super::{Act, Call};
use crate::guard::reader::Reader;

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    staged::look(call).or_else(|| look_up(reader, call, &[hosted::TOOLS, platforms::TOOLS, clusters::TOOLS]))
}

#[cfg(test)]
mod tests {
    use crate::guard::outside::tests::{check, facets};

    #[test]
    fn what_changes_an_app() {
        check(&[
            ("serverless deploy --stage prod", "serverless:prod deploy"),
            ("sls remove -s dev", "sls:dev remove"),
            ("fly deploy -a acme", "fly:acme deploy"),
            ("FLY_APP=acme fly scale count 3", "fly:acme scale count"),
            ("flyctl apps destroy acme -y", "flyctl:acme apps destroy"),
            ("fly ssh console -a acme -C 'rm x'", "fly:acme ssh console"),
            ("vercel --prod", "vercel:production deploy"),
            ("vercel ./dist", "vercel:preview deploy"),
            ("vercel --target=staging", "vercel:staging deploy"),
            ("vercel rollback https://x.vercel.app", "vercel:production rollback"),
            ("netlify deploy --prod --dir=dist", "netlify:production deploy"),
            ("wrangler deploy", "wrangler:- deploy"),
            ("wrangler pages deploy dist --project-name web", "wrangler:web pages deploy"),
            ("wrangler d1 execute db --remote --command 'delete from t'", "wrangler:- d1 execute"),
            ("firebase deploy -P prod", "firebase:prod deploy"),
            ("heroku config:set A=b -a acme", "heroku:acme config:set"),
            ("heroku run -a acme 'rake db:migrate'", "heroku:acme run"),
            ("cf push web", "cf:web push"),
            ("argocd app sync web --prune", "argocd:web app sync"),
            ("nomad job run -detach web.nomad", "nomad:- job run"),
            ("nomad job stop -purge web", "nomad:web job stop"),
            ("vault kv put secret/x a=b", "vault:secret/x kv put"),
            ("skaffold run -p prod", "skaffold:prod run"),
            ("railway up -e production -s web", "railway:production up"),
            ("kamal deploy -d staging", "kamal:staging deploy"),
            ("cap production deploy", "cap:production deploy"),
            ("dokku ps:restart web", "dokku:web ps:restart"),
            ("supabase db push", "supabase:- db push"),
            ("eb deploy web-prod", "eb:web-prod deploy"),
            ("surge dist acme.surge.sh", "surge:acme.surge.sh deploy"),
            ("flux reconcile kustomization apps", "flux:apps reconcile"),
            ("fly $WHAT -a acme", "fly:acme unknown"),
            ("fly deploy -a $APP", "fly:? deploy"),
        ]);
        assert_eq!(facets("railway up -e production -s web"), "Profile production, Profile web");
        assert_eq!(facets("argocd app sync web --server cd.acme.org:443"), "Profile web, Host cd.acme.org");
        assert_eq!(facets("fly deploy -a $APP"), "");
    }

    #[test]
    fn what_only_looks() {
        check(&[
            ("serverless package --stage prod", ""),
            ("sls invoke local -f x", ""),
            ("fly logs -a acme", ""),
            ("fly secrets list", ""),
            ("fly ssh console -a acme -C 'ls /'", ""),
            ("vercel ls", ""),
            ("vercel build --prod", ""),
            ("vercel env pull", ""),
            ("vercel --help", ""),
            ("netlify status", ""),
            ("wrangler deploy --dry-run", ""),
            ("wrangler d1 execute db --command 'delete from t'", ""),
            ("wrangler tail", ""),
            ("firebase emulators:start", ""),
            ("heroku logs -a acme", ""),
            ("heroku run ls -a acme", ""),
            ("cf apps", ""),
            ("argocd app diff web", ""),
            ("nomad job plan web.nomad", ""),
            ("vault kv get secret/x", ""),
            ("skaffold render", ""),
            ("railway run npm test", ""),
            ("kamal app logs", ""),
            ("cap -T", ""),
            ("cap production deploy:check", ""),
            ("supabase db reset", ""),
            ("eb status", ""),
            ("flux get all", ""),
        ]);
    }
}
