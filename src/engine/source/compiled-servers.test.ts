import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const found = async (path: string, text: string): Promise<string[]> => {
  const { observations } = await analyseProject([{ path, text }]);
  return observations.map(({ rule, subject }) => `${rule} ${subject ?? ''}`.trim());
};

/** A tool that lists what its caller names, with something before it and in it. */
const lister = (before: string, body: string) => `${before}
server.tool('list_shelf', { shelf: z.string() }, async ({ shelf }) => { ${body} });
`;

const commands = ['command-injection list_shelf'];
const paths = ['path-traversal list_shelf'];

describe('input reaches a module', () => {
  const line = "execSync('ls ' + shelf);";

  it('that is imported while the server runs', async () => {
    const bodies = [
      `const { execSync } = await import('node:child_process'); ${line}`,
      `const { execSync } = (await import('node:child_process')).default; ${line}`,
      `await import('node:child_process').then(({ execSync }) => { ${line} });`,
    ];
    for (const body of bodies) assert.deepEqual(await found('a.js', lister('', body)), commands, body);
  });

  it('through what compilers put around it', async () => {
    const ways = [
      [`const fs_1 = __importDefault(require("fs"));`, 'fs_1.default.readdirSync(shelf);'],
      [`const fs = __importStar(require("fs"));`, 'fs.readdirSync(shelf);'],
      [`var import_fs = __toESM(require("fs"), 1);`, '(0, import_fs.readdirSync)(shelf);'],
      [`const fs = createRequire(import.meta.url)('fs');`, 'fs.readdirSync(shelf);'],
    ] as const;
    const helpers = `import { createRequire } from 'node:module';
var __importDefault = (this && this.__importDefault) || function (mod) {
  return (mod && mod.__esModule) ? mod : { "default": mod };
};
var __toESM = (mod, isNode, target) => (target = mod != null ? Object.create(Object.getPrototypeOf(mod)) : {}, target);
`;
    for (const [before, body] of ways)
      assert.deepEqual(await found('a.js', lister(helpers + before, body)), paths, before);
  });

  it('from classes that bundlers write as values, which may be named otherwise within', async () => {
    const classes = [
      'var Shelves = class { read(name) { readdirSync(name); } };',
      'var Shelves = class _Shelves { static { this.root = "/srv"; } read(name) { readdirSync(name); } };',
      'let Shelves; Shelves = class { read(name) { readdirSync(name); } };',
    ];
    for (const each of classes) {
      const text = lister(`import { readdirSync } from 'fs';\n${each}`, 'new Shelves().read(shelf);');
      assert.deepEqual(await found('a.js', text), paths, each);
    }
  });

  it('from async functions as compilers write them for older targets', async () => {
    const run = "yield execSync('ls ' + shelf);";
    const handlers = [
      `(_a) => __awaiter(void 0, [_a], void 0, function* ({ shelf }) { ${run} })`,
      `(_0) => __async(null, [_0], function* ({ shelf }) { ${run} })`,
      `_async_to_generator(function* ({ shelf }) { ${run} })`,
    ];
    for (const handler of handlers) {
      const text = `import { execSync } from 'child_process';
server.tool('list_shelf', { shelf: z.string() }, ${handler});
`;
      assert.deepEqual(await found('a.js', text), commands, handler);
    }
  });

  it('through what a compiled module has as its default, where another has a method of the same name', async () => {
    const files = [
      {
        path: 'shelves.js',
        text: `const fs_1 = require("fs");
class Shelves {
  static getInstance() { return (Shelves.instance = Shelves.instance || new Shelves()); }
  show(name) { return fs_1.readdirSync('/srv/' + name); }
}
exports.default = Shelves;
`,
      },
      {
        path: 'cache.js',
        text: 'class Cache { static getInstance() { return new Cache(); } show() {} }\nexports.default = Cache;\n',
      },
      {
        path: 'server.js',
        text: lister(
          'const shelves_1 = __importDefault(require("./shelves"));',
          'return shelves_1.default.getInstance().show(shelf);',
        ),
      },
    ];
    const { observations } = await analyseProject(files);
    assert.deepEqual(
      observations.map(({ rule, severity }) => `${rule} ${severity}`),
      ['path-traversal high'],
    );
  });

  it('through `arguments`, as compilers hand on what has presets', async () => {
    const before = `import { execSync } from 'child_process';
function list(shelf_1) {
  return __awaiter(this, arguments, void 0, function* (shelf, wait = 10) { yield execSync('ls ' + shelf); });
}`;
    assert.deepEqual(await found('a.js', lister(before, 'return list(shelf);')), commands);
  });

  it('in files whose names are keywords elsewhere', async () => {
    const before = `import { execSync } from 'child_process';
async function list(shelf, using, options = {}) {
  let at = 0;
  if (at < unique.length) shelves[at] = unique[at++];
  execSync('ls ' + shelf);
}`;
    assert.deepEqual(await found('a.js', lister(before, 'return list(shelf, true);')), commands);
  });
});

describe('a tool is found', () => {
  it('as a class that says what it is and is run by its framework', async () => {
    const python = `import os
class DropShelf(BaseTool):
    name: str = "drop_shelf"
    description: str = "Takes a shelf away."
    def _run(self, shelf: str) -> None:
        os.remove("/srv/" + shelf)
`;
    assert.deepEqual(await found('a.py', python), ['path-traversal drop_shelf']);
    const script = `import { rmSync } from 'node:fs';
class DropShelf extends MCPTool {
  name = 'drop_shelf';
  description = 'Takes a shelf away.';
  async execute({ shelf }) { rmSync('/srv/' + shelf); }
}
`;
    assert.deepEqual(await found('a.js', script), ['path-traversal drop_shelf']);
    const rust = `pub struct ReadShelfTool;
impl ToolHandler for ReadShelfTool {
    fn name(&self) -> &str { "read_shelf" }
    fn call(&self, args: Value) -> Result<String> {
        let shelf = args.get("shelf").and_then(|v| v.as_str()).unwrap_or(".");
        Ok(std::fs::read_to_string(format!("/srv/{}", shelf))?)
    }
}
`;
    assert.deepEqual(await found('a.rs', rust), ['path-traversal read_shelf']);
    const plain = script.replace("  name = 'drop_shelf';\n", '').replace(/ {2}description.*\n/, '');
    assert.deepEqual(await found('a.js', plain.replace('extends MCPTool ', '')), []);
  });

  it('in Go where a function gives it with its handler, where several are added, and in a list of its own', async () => {
    const head = `package main
import ("context"; "os/exec"; "github.com/mark3labs/mcp-go/mcp"; "github.com/mark3labs/mcp-go/server")
`;
    const handler = `func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	out, err := exec.Command("sh", "-c", "ls " + request.GetString("shelf", "")).Output()
	return mcp.NewToolResultText(string(out)), err
}`;
    const pair = `${head}func listShelf() (mcp.Tool, server.ToolHandlerFunc) {
	return mcp.NewTool("list_shelf"), ${handler}
}
func main() { s := server.NewMCPServer("a", "1"); s.AddTool(listShelf()) }
`;
    assert.deepEqual(await found('main.go', pair), commands);
    const several = `${head}func main() {
	s := server.NewMCPServer("a", "1")
	s.AddTools(server.ServerTool{Tool: mcp.NewTool("list_shelf"), Handler: ${handler}})
}
`;
    assert.deepEqual(await found('main.go', several), commands);
    const own = `package main
import ("os/exec"; "encoding/json")
type Tool struct { Name, Description string }
type Server struct { handlers map[string]func(map[string]interface{}) string }
func (s *Server) RegisterTool(tool Tool, run func(map[string]interface{}) string) { s.handlers[tool.Name] = run }
func listShelf(arguments map[string]interface{}) string {
	shelf, _ := arguments["shelf"].(string)
	out, _ := exec.Command("sh", "-c", "ls " + shelf).Output()
	return string(out)
}
func main() { s := &Server{}; s.RegisterTool(Tool{Name: "list_shelf", Description: "Lists a shelf."}, listShelf) }
`;
    assert.deepEqual(await found('main.go', own), commands);
  });

  it('with its own name where a server calls all of them through a table', async () => {
    const text = `import { execSync } from 'node:child_process';
const handlers = {
  count_shelves: async () => 3,
  list_shelf: async ({ shelf }) => execSync('ls ' + shelf),
};
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  const run = handlers[request.params.name];
  return run(request.params.arguments);
});
`;
    assert.deepEqual(await found('a.js', text), commands);
  });
});
