import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const rules = async (path: string, text: string): Promise<string[]> => {
  const { observations } = await analyseProject([{ path, text }]);
  return observations.map(({ rule }) => rule);
};

/** What a tool in TypeScript is reported for, by the lines that do something with `name`. */
const inScript = (body: string, before = ''): Promise<string[]> =>
  rules(
    'a.ts',
    `import fs from 'node:fs';
import path from 'node:path';
import { exec, execFile } from 'node:child_process';
${before}
server.tool('t', { name: z.string() }, async ({ name }) => { ${body} });
`,
  );

const inPython = (body: string): Promise<string[]> =>
  rules(
    'a.py',
    `import os
from pathlib import Path
@mcp.tool()
def t(name: str) -> str:
    if ${body}
`,
  );

const path = ['path-traversal'];

describe('a path stays within its folder', () => {
  it('where it has no .. and cannot begin anew', async () => {
    const refuse = (test: string) => `if (${test}) throw new Error('no');`;
    assert.deepEqual(
      await inScript(`${refuse("name.includes('..')")} fs.readFileSync(path.join('/srv', name));`),
      [],
    );
    assert.deepEqual(
      await inScript(`${refuse("name.includes('..')")} fs.readFileSync(path.resolve('/srv', name));`),
      path,
    );
    assert.deepEqual(await inScript(`${refuse("name.includes('..')")} fs.readFileSync(name);`), path);
    const both = refuse("name.includes('..') || path.isAbsolute(name)");
    assert.deepEqual(await inScript(`${both} fs.readFileSync(path.resolve('/srv', name));`), []);
    assert.deepEqual(
      await inScript(`${refuse("name.includes('..')")} fs.readFileSync('/srv/' + decodeURIComponent(name));`),
      path,
    );
    const parts = refuse("name.split('/').some((part) => part === '..')");
    assert.deepEqual(await inScript(`${parts} fs.readFileSync(path.join('/srv', name));`), []);
    const open = '\n        return ""\n    return open(os.path.join("/srv", name)).read()';
    assert.deepEqual(await inPython(`".." in name:${open}`), path);
    assert.deepEqual(await inPython(`".." in name or os.path.isabs(name):${open}`), []);
  });

  it('where a function was given it by name, or one of several folders has it', async () => {
    const before = `const roots = ['/srv/a', '/srv/b'];
const isInside = (root: string, file: string) => {
  const way = path.relative(root, file);
  return way === '' || (!way.startsWith('..' + path.sep) && way !== '..' && !path.isAbsolute(way));
};
function refuse({ file, what }: { file: string; what: string }) {
  const root = roots.filter((each) => isInside(each, file)).sort()[0];
  if (!root) throw new Error(what);
}`;
    const read = 'const file = path.resolve(name); CHECK fs.readFileSync(file);';
    const reported = (check: string) => inScript(read.replace('CHECK', check), before);
    assert.deepEqual(await reported("refuse({ file, what: 'reading' });"), []);
    assert.deepEqual(await reported("refuse({ file: '/srv/a', what: file });"), path);
    const left = 'const left = roots.filter((each) => isInside(each, file));';
    assert.deepEqual(await reported(`${left} if (left.length === 0) throw new Error('no');`), []);
    assert.deepEqual(await reported(`${left} if (!left) throw new Error('no');`), path);
  });

  it('in Go where the folders of a struct end in a separator, and only then', async () => {
    const text = (end: string) => `package main
import ("context"; "errors"; "os"; "path/filepath"; "strings"; "github.com/mark3labs/mcp-go/mcp"; "github.com/mark3labs/mcp-go/server")
type Shelves struct { roots []string }
func open(folders []string) *Shelves {
	roots := make([]string, 0, len(folders))
	for _, folder := range folders { roots = append(roots, filepath.Clean(folder)${end}) }
	return &Shelves{roots: roots}
}
func (s *Shelves) has(file string) bool {
	for _, root := range s.roots { if strings.HasPrefix(file, root) { return true } }
	return false
}
func (s *Shelves) Read(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	file, err := filepath.Abs(request.GetString("name", ""))
	if err != nil { return nil, err }
	if !s.has(file) { return nil, errors.New("outside") }
	data, err := os.ReadFile(file)
	return mcp.NewToolResultText(string(data)), err
}
func main() {
	shelves := open([]string{"/srv"})
	s := server.NewMCPServer("a", "1")
	s.AddTool(mcp.NewTool("read"), shelves.Read)
}
`;
    assert.deepEqual(await rules('main.go', text('+string(filepath.Separator)')), []);
    assert.deepEqual(await rules('main.go', text('')), path);
  });

  it('where separators were taken out, all of them', async () => {
    const write = (by: string) => `fs.writeFileSync('/srv/' + name.replace(${by}, '_'), 'x');`;
    assert.deepEqual(await inScript(write(String.raw`/[/\\:]/g`)), []);
    assert.deepEqual(await inScript(write(String.raw`/[/\\:]/`)), path);
    assert.deepEqual(await inScript(write('/[:*]/g')), path);
  });
});

describe('an address stays on its host', () => {
  it('where a path that begins with / is put behind it', async () => {
    const before = 'const site = process.env.SITE;';
    const slashed = "const way = name.startsWith('/') ? name : `/${name}`;";
    const ask = 'await fetch(`https://${site}.example${way}`);';
    assert.deepEqual(await inScript(`${slashed} ${ask}`, before), []);
    assert.deepEqual(await inScript(`const way = name; ${ask}`, before), ['server-side-request-forgery']);
    const some = "let way = name; if (!way.startsWith('http')) way = '/' + way;";
    assert.deepEqual(await inScript(`${some} ${ask}`, before), ['server-side-request-forgery']);
  });
});

describe('a text of a script', () => {
  const before = `const quoted = (text: string) => text.replace(/\\\\/g, '\\\\\\\\').replace(/"/g, '\\\\"').replace(/\\n/g, '\\\\n');
const halfQuoted = (text: string) => text.replace(/"/g, '\\\\"');`;

  it('cannot leave its quotation marks where both marks are escaped and no shell reads them', async () => {
    const run = (script: string) => `execFile('osascript', ['-e', ${script}]);`;
    assert.deepEqual(await inScript(run('`set it to "${quoted(name)}"`'), before), []);
    assert.deepEqual(await inScript(run('`set it to "${halfQuoted(name)}"`'), before), ['command-injection']);
    assert.deepEqual(await inScript(run('`set it to ${quoted(name)}`'), before), ['command-injection']);
    const shell = 'exec(`osascript -e \'set it to "${quoted(name)}"\'`);';
    assert.deepEqual(await inScript(shell, before), ['command-injection']);
  });
});

describe('the words of a command', () => {
  it('can be options again once a text is split', async () => {
    assert.deepEqual(
      await inScript("const [program, ...words] = `git log ${name}`.split(' '); execFile(program, words);"),
      ['argument-injection'],
    );
    assert.deepEqual(await inScript("execFile('git', ['add', path.resolve(name)]);"), []);
    assert.deepEqual(await inScript("execFile('git', ['add', name]);"), ['argument-injection']);
  });

  it('are read by a shell that a variable names', async () => {
    const run = "const shell = process.env.SHELL; execFile(shell, ['-c', 'ls ' + name]);";
    assert.deepEqual(await inScript(run), ['command-injection']);
  });
});

describe('a pattern that lets underscores through', () => {
  const set = (pattern: string) =>
    inScript(
      `if (!${pattern}.test(name)) throw new Error('no'); const all = {}; all[name] = all[name] || {}; all[name][name] = 1;`,
    );

  it('lets __proto__ through', async () => {
    assert.deepEqual(await set(String.raw`/^[\w$]+$/`), ['prototype-pollution']);
    assert.deepEqual(await set('/^[a-z0-9-]+$/'), []);
  });
});
