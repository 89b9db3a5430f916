import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

/** Lines of the findings of at least medium severity. */
async function linesOf(text: string): Promise<number[]> {
  const { observations } = await analyseProject([{ path: 'src/main.rs', text }]);
  return observations
    .filter(({ severity }) => severity !== 'low' && severity !== 'info')
    .map(({ location }) => location?.startLine ?? 0)
    .toSorted((a, b) => a - b);
}

const tools = `struct Clear; struct Size;
impl Action for Clear { fn perform(&self, given: &Value) -> Reply { done(std::fs::remove_file(given["at"].as_str().unwrap())) } }
impl Action for Size { fn perform(&self, given: &Value) -> Reply { done(given["at"].as_str().unwrap().len()) } }
pub trait Action: Send { fn perform(&self, given: &Value) -> Reply; }
`;
const server = (held: string, found: string) => `${tools}
struct Desk { actions: ${held} }
impl Desk {
    fn answer(&self, asked: &Value) -> Reply {
        match asked["method"].as_str() {
            Some("ping") => Reply::none(),
            Some("tools/call") => { let given = &asked["params"]; ${found} }
            _ => Reply::none(),
        }
    }
}`;

describe('tools of Rust that have a trait in common', () => {
  const byName = 'self.actions.get(given["name"].as_str().unwrap())';
  const ways: Readonly<Record<string, readonly [string, string]>> = {
    'a table': ['HashMap<String, Box<dyn Action>>', `${byName}.unwrap().perform(&given["arguments"])`],
    'a table behind a lock': [
      "RwLock<BTreeMap<&'static str, Arc<dyn Action + Send + Sync>>>",
      'match self.actions.read().get(given["name"].as_str().unwrap()) { Some(one) => one.perform(&given["arguments"]), None => Reply::none() }',
    ],
    'a table that is asked within a closure': [
      'HashMap<String, Box<dyn Action>>',
      'let one = given["name"].as_str().and_then(|name| self.actions.get(name)).ok_or(Fault)?; one.perform(&given["arguments"])',
    ],
  };
  for (const [what, [held, found]] of Object.entries(ways))
    it(`are found in ${what}`, async () => {
      assert.deepEqual(await linesOf(server(held, found)), [2]);
    });
});

describe('lines of clients that a program of Rust reads', () => {
  const program = (read: string) => `fn main() {
    ${read}
        let asked: Value = serde_json::from_str(&line).unwrap();
        if asked["method"] == "tools/call" { drop_it(&asked["params"]); }
    }
}
fn drop_it(given: &Value) { std::fs::remove_dir_all(given["at"].as_str().unwrap()); }
`;
  const ways: Readonly<Record<string, string>> = {
    'one by one': 'for line in std::io::stdin().lock().lines() { let line = line.unwrap();',
    'while there are any': 'while let Some(line) = lines.next_line().await? {',
    'into a text': 'loop { let mut line = String::new(); std::io::stdin().read_line(&mut line)?;',
  };
  for (const [what, read] of Object.entries(ways))
    it(`are followed ${what}`, async () => {
      assert.deepEqual(await linesOf(program(read)), [7]);
    });
  it('are nothing of a program that serves nobody', async () => {
    const text = program(ways['one by one'] ?? '').replace('tools/call', 'drop');
    assert.deepEqual(await linesOf(text), []);
  });
});

describe('documents of MongoDB in Rust', () => {
  const find = (filter: string) => `use mongodb::{bson::doc, Collection};
struct Desk { sheets: Collection<Document> }
impl Desk {
    #[tool(description = "Find sheets")]
    async fn find(&self, wanted: Value, name: String) -> Reply {
        ${filter}
        self.sheets.find(filter).await
    }
}`;
  it('are found where the caller wrote one, or fills one', async () => {
    assert.deepEqual(await linesOf(find('let filter = bson::to_document(&wanted)?;')), [7]);
    assert.deepEqual(
      await linesOf(
        find('let mut filter = doc! { "open": true }; filter.extend(bson::to_document(&wanted)?);'),
      ),
      [7],
    );
  });
  it('are left where a text is one value of them', async () => {
    assert.deepEqual(await linesOf(find('let filter = doc! { "name": name };')), []);
  });
});
