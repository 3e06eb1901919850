//! The harness' own `ask` rules over what the guard guards: the backstop for a hook that does not answer, or whose
//! answer is passed over.
//!
//! They are prefixes, so they see less than the guard and must not be its replacement; none of them may be so wide that
//! a read is stopped.

/// Prefixes that only ever begin a guarded call.
const PREFIXES: &[&str] = &[
    "git push",
    "git send-pack",
    "git subtree push",
    "git lfs push",
    "hub push",
    "jj git push",
    "hg push",
    "gh pr merge",
    "gh pr create",
    "gh repo sync",
    "gh release create",
    "glab mr merge",
    "glab mr accept",
    "kubectl apply",
    "kubectl delete",
    "kubectl create",
    "kubectl replace",
    "kubectl patch",
    "kubectl scale",
    "kubectl exec",
    "kubectl rollout restart",
    "kubectl rollout undo",
    "helm upgrade",
    "helm install",
    "helm uninstall",
    "helm delete",
    "helm rollback",
    "terraform apply",
    "terraform destroy",
    "terraform import",
    "tofu apply",
    "tofu destroy",
    "pulumi up",
    "pulumi destroy",
    "cdk deploy",
    "cdk destroy",
    "ansible-playbook",
    "docker push",
    "podman push",
    "serverless deploy",
    "fly deploy",
    "flyctl deploy",
    "vercel deploy",
    "netlify deploy",
    "wrangler deploy",
    "firebase deploy",
    "npm publish",
    "pnpm publish",
    "yarn publish",
    "cargo publish",
    "twine upload",
    "poetry publish",
    "uv publish",
    "gem push",
    "dropdb",
    "tmux send-keys",
    "sayso approve",
    "sayso answer",
    "sayso refuse",
];

/// `ask` rules for a run's settings.
pub fn ask_rules() -> Vec<String> {
    PREFIXES.iter().map(|prefix| format!("Bash({prefix}:*)")).collect()
}
