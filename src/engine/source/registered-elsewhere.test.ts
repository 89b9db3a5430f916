import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const read = async (path: string, text: string): Promise<string[]> => {
  const { observations } = await analyseProject([{ path, text }]);
  return observations.map(({ severity, rule, subject }) => `${severity} ${rule} ${subject ?? ''}`.trim());
};

const inRust = (body: string, before = ''): Promise<string[]> =>
  read(
    'src/main.rs',
    `use std::collections::HashMap;
use std::net::IpAddr;
use std::process::Command;
struct Desk { rooms: HashMap<String, String> }
${before}
impl Desk {
    #[tool(description = "Opens a room")]
    fn open_room(&self, name: String, address: IpAddr) -> Result<String> {
        ${body}
        Ok(String::new())
    }
}
`,
  );

describe('tools are found', () => {
  it('in Go, where main registers them through a function of its own', async () => {
    const text = `package main
import ("context"; "os"; "github.com/modelcontextprotocol/go-sdk/mcp")
type input struct { Title string \`json:"title"\` }
type Shelf struct{}
func offer(server *mcp.Server, name string, answer func(context.Context, input) (any, error)) {
	mcp.AddTool(server, &mcp.Tool{Name: name}, func(ctx context.Context, _ *mcp.CallToolRequest, given input) (*mcp.CallToolResult, any, error) {
		result, err := answer(ctx, given)
		return nil, result, err
	})
}
func (s *Shelf) page(title string) (any, error) { return os.ReadFile("/srv/shelf/" + title) }
func main() {
	shelf := &Shelf{}
	server := mcp.NewServer(&mcp.Implementation{Name: "shelf"}, nil)
	offer(server, "page", func(_ context.Context, given input) (any, error) { return shelf.page(given.Title) })
}
`;
    assert.deepEqual(await read('main.go', text), ['high path-traversal page']);
  });

  it('in Rust, where a type implements a trait of tools', async () => {
    const tool = (trait: string) =>
      read(
        'src/main.rs',
        `use std::process::Command;
pub struct Revisions;
impl ${trait} for Revisions {
    fn name(&self) -> &'static str { "revisions" }
    async fn run(&self, given: &Value) -> Result<String> {
        Command::new("git").arg("log").arg(given["branch"].as_str().unwrap()).output();
        Ok(String::new())
    }
}
`,
      );
    assert.deepEqual(await tool('Tool'), ['high argument-injection revisions']);
    assert.deepEqual(await tool('Job'), ['medium argument-injection']);
  });
});

describe('what Rust has checked', () => {
  const readFile = 'std::fs::read_to_string(format!("/srv/rooms/{name}.txt"))?;';

  it('is what a macro ensures, with all that stands in it', async () => {
    const word = "name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')";
    assert.deepEqual(await inRust(readFile), ['high path-traversal open_room']);
    assert.deepEqual(await inRust(`ensure!(!name.is_empty() && ${word}, "no name"); ${readFile}`), []);
    assert.deepEqual(await inRust(`anyhow::ensure!(${word}, "no name"); ${readFile}`), []);
    assert.deepEqual(await inRust(`ensure!(name.len() < 40 || ${word}, "no name"); ${readFile}`), [
      'high path-traversal open_room',
    ]);
  });

  it('is what its own table holds under a name, and an address by its type', async () => {
    const start = 'Command::new("sh").arg("-c").arg(format!("open {room}")).output();';
    assert.deepEqual(await inRust(`let room = self.rooms.get(&name).context("no room")?; ${start}`), []);
    assert.deepEqual(await inRust(`let room = name; ${start}`), ['critical command-injection open_room']);
    assert.deepEqual(await inRust(`let room = address; ${start}`), []);
  });
});
