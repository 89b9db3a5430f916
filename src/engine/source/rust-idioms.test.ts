import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

/** Lines of the findings of at least medium severity in one file of a project. */
async function linesOf(files: Readonly<Record<string, string>>, path: string): Promise<number[]> {
  const { observations } = await analyseProject(
    Object.entries(files).map(([name, text]) => ({ path: name, text })),
  );
  return observations
    .filter(({ severity, location }) => severity !== 'low' && severity !== 'info' && location?.path === path)
    .map(({ location }) => location?.startLine ?? 0)
    .toSorted((a, b) => a - b);
}

const main = 'src/main.rs';
const tool = (body: string) => `
use std::path::{Component, Path, PathBuf};
impl Depot {
    #[tool(description = "Show a sheet")]
    fn show(&self, sheet: String) -> Result<String, Fault> {
        ${body}
    }
    fn within(&self, sheet: &str) -> Result<PathBuf, Fault> {
        let full = self.base.join(sheet).canonicalize()?;
        full.starts_with(&self.base).then_some(full).ok_or(Fault::Outside)
    }
    fn anywhere(&self, sheet: &str) -> PathBuf { self.base.join(sheet) }
}
struct Label(String);
impl TryFrom<String> for Label {
    type Error = Fault;
    fn try_from(text: String) -> Result<Self, Fault> {
        if text.chars().any(|c| !c.is_ascii_alphanumeric() && c != '_') { return Err(Fault::Label); }
        Ok(Self(text))
    }
}
`;

describe('paths of Rust', () => {
  const weak: Readonly<Record<string, string>> = {
    'joined as they are': 'Ok(std::fs::read_to_string(self.base.join(&sheet))?)',
    'given by a method that checks nothing': 'Ok(std::fs::read_to_string(self.anywhere(&sheet))?)',
    'compared before links are followed':
      'let full = self.base.join(&sheet); if !full.starts_with(&self.base) { return Err(Fault::Outside); } Ok(std::fs::read_to_string(full)?)',
    'shown not to lead up, but perhaps absolute':
      'if sheet.contains("..") { return Err(Fault::Outside); } Ok(std::fs::read_to_string(self.base.join(&sheet))?)',
  };
  const safe: Readonly<Record<string, string>> = {
    'given back where a test holds': 'Ok(std::fs::read_to_string(self.within(&sheet)?)?)',
    'neither absolute nor with a step up':
      'if sheet.contains("..") || Path::new(&sheet).is_absolute() { return Err(Fault::Outside); } Ok(std::fs::read_to_string(self.base.join(&sheet))?)',
    'of one plain part':
      'let mut parts = Path::new(&sheet).components(); let (Some(Component::Normal(only)), None) = (parts.next(), parts.next()) else { return Err(Fault::Outside); }; Ok(std::fs::read_to_string(self.base.join(only))?)',
    'put together of plain parts':
      'let mut full = self.base.clone(); for part in Path::new(&sheet).components() { if let Component::Normal(name) = part { full.push(name); } } Ok(std::fs::read_to_string(full)?)',
    'checked by a guard of match':
      'match self.base.join(&sheet).canonicalize() { Ok(full) if full.starts_with(&self.base) => Ok(std::fs::read_to_string(full)?), _ => Err(Fault::Outside) }',
    'without the folder before them':
      'let full = self.base.join(&sheet).canonicalize()?; full.strip_prefix(&self.base).map_err(|_| Fault::Outside)?; Ok(std::fs::read_to_string(full)?)',
    'of a type that checks its text':
      'let label: Label = sheet.try_into()?; Ok(std::fs::read_to_string(self.base.join(label.0))?)',
    'with other characters dropped':
      "let name: String = sheet.chars().filter(|c| matches!(c, 'a'..='z' | '0'..='9' | '-')).collect(); Ok(std::fs::read_to_string(self.base.join(name))?)",
    'one of a few':
      'if !matches!(sheet.as_str(), "daily" | "weekly") { return Err(Fault::Outside); } Ok(std::fs::read_to_string(&sheet)?)',
  };
  for (const [what, body] of Object.entries(weak))
    it(`finds those ${what}`, async () => {
      assert.deepEqual(await linesOf({ [main]: tool(body) }, main), [6]);
    });
  for (const [what, body] of Object.entries(safe))
    it(`leaves those ${what}`, async () => {
      assert.deepEqual(await linesOf({ [main]: tool(body) }, main), []);
    });
});

describe('names of Rust', () => {
  it('keeps a function that a variable of another function is called like', async () => {
    const files = {
      [main]: `mod jobs;
fn main() { handle(Job::default()); }
fn handle(request: Value) -> Reply {
    match request["method"].as_str() {
        "tools/call" => jobs::job(&serde_json::from_value(request["params"].clone())?),
        _ => Reply::none(),
    }
}
`,
      'src/jobs.rs': `pub fn job(job: &Job) -> Reply {
    std::fs::remove_file(&job.arguments["target"].as_str().unwrap());
}
`,
    };
    assert.deepEqual(await linesOf(files, 'src/jobs.rs'), [2]);
  });

  it('follows into another crate of the workspace, and through names that are taken in as a whole', async () => {
    const files = {
      'depot-core/Cargo.toml': '[package]\nname = "depot-core"\n',
      'depot-core/src/lib.rs': 'pub mod shelves;\n',
      'depot-core/src/shelves.rs': 'pub fn drop_all(at: &str) {\n    std::fs::remove_dir_all(at);\n}\n',
      'server/Cargo.toml': '[package]\nname = "server"\n',
      'server/src/main.rs':
        'mod tools;\nuse depot_core::shelves;\npub fn cleared(at: &str) { shelves::drop_all(at) }\n',
      'server/src/tools.rs':
        'use super::*;\n#[tool(description = "Clear")]\nfn clear(shelf: String) { crate::cleared(&shelf) }\n',
    };
    assert.deepEqual(await linesOf(files, 'depot-core/src/shelves.rs'), [2]);
  });
});

describe('what Rust registers', () => {
  const read = 'std::fs::read_to_string';
  const registered: Readonly<Record<string, string>> = {
    'a filter of warp': `fn routes() -> impl Filter {
    warp::path!("sheet" / String).map(|name: String| ${read}(name))
}`,
    'a closure of axum': `fn routes() -> Router {
    Router::new().route("/sheet", axum::routing::get(|Query(asked): Query<Asked>| async move { ${read}(asked.name) }))
}`,
    'a tool that is a struct': `#[mcp_tool(name = "sheet", description = "A sheet")] struct Sheet { name: String }
impl Sheet { fn call_tool(&self) -> String { ${read}(&self.name) } }`,
    'all methods of one impl': `#[Tools]
impl Depot { async fn sheet(&self, name: String) -> Text<String> { Text(${read}(name)) } }`,
  };
  for (const [what, code] of Object.entries(registered))
    it(`is ${what}`, async () => {
      assert.deepEqual(await linesOf({ [main]: code }, main), [2]);
    });

  it("is no path of Rocket's, which has no way up", async () => {
    const code = `use rocket::get;
#[get("/sheets/<name..>")]
async fn sheet(name: std::path::PathBuf) -> Option<NamedFile> { NamedFile::open(Path::new("sheets").join(name)).await.ok() }
`;
    assert.deepEqual(await linesOf({ [main]: code }, main), []);
  });
});

describe('addresses of Rust', () => {
  const server = (check: string) => `use std::net::{IpAddr, ToSocketAddrs};
fn is_internal(ip: IpAddr) -> bool { match ip { IpAddr::V4(a) => a.is_private() || a.is_loopback(), IpAddr::V6(a) => a.is_loopback() } }
#[tool(description = "Get a page")]
async fn page(link: String) -> Result<String, Fault> {
    let url: Url = link.parse()?;
    ${check}
    Ok(reqwest::get(url).await?.text().await?)
}
`;
  const checks: Readonly<Record<string, string>> = {
    'each address is looked at':
      'let host = url.host_str().ok_or(Fault::Host)?; for at in (host, 443).to_socket_addrs()? { if is_internal(at.ip()) { return Err(Fault::Host); } }',
    'the host is one of a list':
      'if !url.host_str().is_some_and(|host| ["a.example.org"].contains(&host)) { return Err(Fault::Host); }',
  };
  for (const [what, check] of Object.entries(checks))
    it(`is checked where ${what}`, async () => {
      assert.deepEqual(await linesOf({ [main]: server(check) }, main), []);
    });
  it('is not checked by its scheme', async () => {
    const check = 'if url.scheme() != "https" { return Err(Fault::Host); }';
    assert.deepEqual(await linesOf({ [main]: server(check) }, main), [7]);
  });
});
