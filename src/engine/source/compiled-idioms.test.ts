import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { analyseProject } from './analyse-project.ts';

/** Rules that are found at medium or above in one file, each once. */
async function found(path: string, text: string): Promise<string[]> {
  const { observations } = await analyseProject([{ path, text }]);
  const rules = observations
    .filter(({ severity }) => ['critical', 'high', 'medium'].includes(severity))
    .map(({ rule }) => rule);
  return [...new Set(rules)].toSorted();
}

const inRust = (body: string, items = ''): Promise<string[]> =>
  found(
    'src/main.rs',
    `use std::process::Command;
${items}
pub struct Desk { db: rusqlite::Connection }
impl Desk {
    #[tool(description = "Tells of a shelf")]
    async fn shelf(&self, name: String) -> Result<String, Error> {
        ${body}
        Ok(String::new())
    }
}`,
  );

const command = ['command-injection'];

void test('messages of an own protocol are variants of enums, whose parts keep their types', async () => {
  const server = (run: string) => `
#[derive(Deserialize)] #[serde(tag = "method", content = "params")]
enum Message { Ping, #[serde(rename = "tools/call")] Order(Order) }
#[derive(Deserialize)] #[serde(tag = "name", content = "arguments")]
enum Order { Look { host: String, count: u32 }, Read(ReadArgs), Swap(u16, String) }
#[derive(Deserialize)] struct ReadArgs { path: String }
impl ReadArgs { fn run(self) -> String { std::fs::read_to_string(self.path).unwrap() } }
impl Order { fn run(self) -> String { match self { ${run} _ => String::new() } } }
fn answer(message: Message) { if let Message::Order(order) = message { order.run(); } }
`;
  const shell = (word: string) =>
    `{ std::process::Command::new("sh").arg("-c").arg(format!("ping {${word}}")).output(); String::new() }`;
  assert.deepEqual(
    await found('src/main.rs', server(`Order::Look { host, .. } => ${shell('host')}`)),
    command,
  );
  assert.deepEqual(await found('src/main.rs', server(`Self::Swap(_, b) => ${shell('b')}`)), command);
  assert.deepEqual(await found('src/main.rs', server(`Order::Read(a) => a.run(),`)), ['path-traversal']);
  assert.deepEqual(await found('src/main.rs', server(`Order::Look { count, .. } => ${shell('count')}`)), []);
  assert.deepEqual(await found('src/main.rs', server(`Order::Swap(a, _) => ${shell('a')}`)), []);
});

void test('Rust: macros in macros, structs of libraries, shells that are written to', async () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [
      'let words = vec!["sh".to_string(), "-c".to_string(), format!("ls {name}")]; Command::new("docker").args(["exec", "web"]).args(words).output();',
      command,
    ],
    [
      'let mut sh = Command::new("sh").spawn().unwrap(); sh.stdin.take().unwrap().write_all(name.as_bytes()).unwrap();',
      command,
    ],
    [
      'let mut cat = Command::new("wc").spawn().unwrap(); cat.stdin.take().unwrap().write_all(name.as_bytes()).unwrap();',
      [],
    ],
    ['let sh = xshell::Shell::new().unwrap(); cmd!(sh, "sh -c {name}").run();', command],
    ['let sh = xshell::Shell::new().unwrap(); cmd!(sh, "cat -- {name}").run();', []],
    ['let lua = mlua::Lua::new(); lua.globals().set("a", "b"); lua.load(&name).exec();', ['code-execution']],
    [
      'let c = rusqlite::Connection::open("/a").unwrap(); c.prepare(&format!("SELECT {name}"));',
      ['sql-injection'],
    ],
    ['let c = rusqlite::Connection::open("/a").unwrap(); c.query_row("SELECT ?1", [&name], read);', []],
    ['Command::new("nmap").args(["-F", name.as_str()]).output();', ['argument-injection']],
    ['Command::new("nmap").args(["-p", name.as_str()]).output();', []],
    [
      'match name.as_str() { n if n.chars().all(|c| c.is_ascii_alphanumeric()) => {} _ => return Err(bad()) } Command::new("sh").arg("-c").arg(format!("ls {name}")).output();',
      [],
    ],
    [
      'let p = std::fs::canonicalize(std::path::Path::new("/a").join(&name))?; if !p.to_string_lossy().starts_with("/a") { return Err(bad()); } std::fs::read(&p);',
      ['path-traversal'],
    ],
    [
      'let p = std::fs::canonicalize(std::path::Path::new("/a").join(&name))?; if !p.starts_with("/a") { return Err(bad()); } std::fs::read(&p);',
      [],
    ],
  ];
  for (const [body, rules] of cases) assert.deepEqual(await inRust(body), rules, body);
});

void test('Rust: a type with another name is that type', async () => {
  const route = (parameter: string) => `
use axum::extract::{Json, State};
type Shared = State<Arc<House>>;
pub struct House { db: String }
pub async fn rpc(State(house): Shared, ${parameter}) -> String { std::fs::read_to_string(&house.db).unwrap() }
fn app() { Router::new().route("/a", post(rpc)); }`;
  assert.deepEqual(await found('src/main.rs', route('Json(body): Json<Value>')), []);
});

void test('servers that read the protocol from standard input, by the names of their own', async () => {
  const go = (method: string, declared = '') => `package main
import ("bufio"; "encoding/json"; "os"; "os/exec")
${declared}
type call struct { Method string; Host string }
func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var c call
		json.Unmarshal(lines.Bytes(), &c)
		switch c.Method {
		case ${method}:
			exec.Command("sh", "-c", "ping "+c.Host).Run()
		}
	}
}`;
  assert.deepEqual(await found('main.go', go('"tools/call"')), command);
  assert.deepEqual(
    await found('main.go', go('methodToolsCall', 'const methodToolsCall = "tools/call"')),
    command,
  );
  assert.deepEqual(await found('main.go', go('"restart"')), []);
});

void test('Java: addresses of parts, types that are written in full, streams', async () => {
  const java = (parameters: string, body: string) =>
    found(
      'Desk.java',
      `import java.net.*; import java.net.http.*; import java.nio.file.*; import java.util.zip.*;
class Desk { @Tool(description = "Tells of a shelf") String shelf(${parameters}) throws Exception { ${body} return ""; } }`,
    );
  const sent = (uri: string) =>
    `HttpClient.newHttpClient().send(HttpRequest.newBuilder(${uri}).build(), HttpResponse.BodyHandlers.ofString());`;
  const shell = 'new ProcessBuilder("sh", "-c", "ls " + a).start();';
  assert.deepEqual(await java('String a', sent('new URI("https", "a.example.org", a, null)')), []);
  assert.deepEqual(await java('String a', sent('new URI("https", a, "/b", null)')), [
    'server-side-request-forgery',
  ]);
  assert.deepEqual(await java('java.util.UUID a', shell), []);
  assert.deepEqual(await java('java.lang.String a', shell), command);
});
