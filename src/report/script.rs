//! Joins script modules into one script, for a page that loads no files.

/// A module of the page: the name of its file, and its text.
pub type Module = (&'static str, &'static str);

/// Joins modules, which must be in order: each after the modules it imports. Each becomes a block
/// that fills an object with its exports. Only the syntax that these modules use is supported:
/// named imports from files, and exports of declarations.
pub fn joined(modules: &[Module]) -> String {
    modules.iter().map(block).collect()
}

fn block(&(file, text): &Module) -> String {
    let mut body = String::new();
    let mut exported = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("import ") {
            let mut import = line.to_owned();
            while !import.ends_with(';') {
                import += lines.next().unwrap_or(";");
            }
            body += &destructured(&import);
        } else if let Some(declaration) = line.strip_prefix("export ") {
            exported.extend(declared_name(declaration));
            body += declaration;
        } else {
            body += line;
        }
        body.push('\n');
    }
    let object = object_of(file);
    format!(
        "const {object} = {{}};\n{{\n{body}Object.assign({object}, {{ {} }});\n}}\n",
        exported.join(", ")
    )
}

/// `import { a } from "./b.js";` as a declaration that reads `a` from the object of that module.
fn destructured(import: &str) -> String {
    let (names, file) = import.split_once(" from ").unwrap_or((import, ""));
    let file = file.trim_matches(['"', ';']).rsplit('/').next().unwrap_or_default();
    format!("const {} = {};", names.trim_start_matches("import "), object_of(file))
}

/// The name introduced by a declaration.
fn declared_name(declaration: &str) -> Option<&str> {
    let words = declaration.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words
        .filter(|word| !word.is_empty())
        .find(|word| !["async", "function", "class", "const", "let"].contains(word))
}

/// The name of the object that holds a module's exports.
fn object_of(file: &str) -> String {
    file.replace(".js", "_module").replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_blocks() {
        let modules = [
            ("a-b.js", "export const one = 1;\nexport async function two() {}\n"),
            ("c.js", "import {\n  one,\n  two,\n} from \"./a-b.js\";\nclass C {}\n"),
        ];
        let expected = "\
const a_b_module = {};
{
const one = 1;
async function two() {}
Object.assign(a_b_module, { one, two });
}
const c_module = {};
{
const {  one,  two,} = a_b_module;
class C {}
Object.assign(c_module, {  });
}
";
        assert_eq!(joined(&modules), expected);
    }
}
