//! How the program is linked.
//!
//! An agent's every call starts `sayso hook`, and a position independent program first rewrites each address in its tables:
//! some 44,000 of them, a page fault for every page, about a quarter of the hook's time. Linked to a fixed place it does
//! not. Libraries, heap and stack still lie at random places, and the crate forbids unsafe code.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |key: &str| std::env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" && target("ARCH") == "x86_64" {
        println!("cargo::rustc-link-arg-bin=sayso=-no-pie");
    }
}
