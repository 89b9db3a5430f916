import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

/** Lines at which a tool's `name` reaches a file, where this is the tool's handler. */
async function linesOf(handler: string, more = ''): Promise<(number | undefined)[]> {
  const text = `package main
import ("context"; "fmt"; "os"; "github.com/modelcontextprotocol/go-sdk/mcp")
type Args struct { Name string; Counts map[string]int }
type Answer struct { Text []byte }
var shelves = map[string]string{"red": "/srv/red", "blue": "/srv/blue"}
func load(ctx context.Context, req *mcp.CallToolRequest, in Args) (*mcp.CallToolResult, any, error) {
${handler}
}
func main() { mcp.AddTool(server, &mcp.Tool{Name: "load"}, load) }
${more}
`;
  const { observations } = await analyseProject([{ path: 'main.go', text }]);
  return observations.flatMap(({ rule, location }) =>
    rule === 'path-traversal' ? [location?.startLine] : [],
  );
}

describe('values of Go', () => {
  it('are followed behind the first that a function gives back', async () => {
    assert.deepEqual(await linesOf('return nil, read(os.ReadFile("/srv/" + in.Name)), nil'), [7]);
    assert.deepEqual(
      await linesOf('return nil, Answer{Text: read(os.ReadFile("/srv/" + in.Name))}, nil'),
      [7],
    );
    assert.deepEqual(await linesOf('return nil, nil, os.Remove("/srv/" + in.Name)'), [7]);
    assert.deepEqual(await linesOf('return nil, nil, os.Remove("/srv/fixed")'), []);
  });

  it('say whether a table has a key, in a line of their own', async () => {
    const removed = 'return nil, nil, os.Remove("/srv/" + in.Name)';
    assert.deepEqual(
      await linesOf(
        `shelf, ok := shelves[in.Name]\nif !ok || shelf == "" { return nil, nil, errNone }\n${removed}`,
      ),
      [],
    );
    assert.deepEqual(
      await linesOf(`_, isKnown := shelves[in.Name]\nif !isKnown { return nil, nil, errNone }\n${removed}`),
      [],
    );
    // A list of what is not allowed does not tell what is.
    assert.deepEqual(
      await linesOf(`_, isTaken := shelves[in.Name]\nif isTaken { return nil, nil, errNone }\n${removed}`),
      [9],
    );
    assert.deepEqual(await linesOf(`_, ok := shelves[in.Name]\nlog.Println(ok)\n${removed}`), [9]);
  });

  it('are followed through several that one function gives, each by its place', async () => {
    const parts = `func parts(in Args) ([]string, string) { return []string{"fixed"}, "/srv/" + in.Name }`;
    assert.deepEqual(await linesOf('_, path := parts(in)\nreturn nil, nil, os.Remove(path)', parts), [8]);
    assert.deepEqual(await linesOf('fixed, _ := parts(in)\nreturn nil, nil, os.Remove(fixed[0])', parts), []);
    const tool = `func pair(in Args) (string, string) { return "a", in.Name }
func drop(first, second string) error { return os.Remove("/srv/" + second) }`;
    assert.deepEqual(await linesOf('return nil, nil, drop(pair(in))', tool), [11]);
  });

  it('are followed in the cases of types and channels, behind labels, and by the keys of a table', async () => {
    const remove = 'os.Remove("/srv/" + name)';
    assert.deepEqual(
      await linesOf(`switch name := any(in.Name).(type) {\ncase string:\n${remove}\ncase int:\n${remove}\n}`),
      [9],
    );
    assert.deepEqual(
      await linesOf(
        `names := make(chan string)\ngo func() { names <- in.Name }()\nselect {\ncase name := <-names:\n${remove}\ndefault:\n}`,
      ),
      [11],
    );
    assert.deepEqual(await linesOf(`loop:\nfor {\nname := in.Name\n${remove}\nbreak loop\n}`), [10]);
    assert.deepEqual(await linesOf(`for name, count := range in.Counts {\n${remove}\n_ = count\n}`), [8]);
    assert.deepEqual(await linesOf(`for i, n := range in.Counts {\nos.Remove(fmt.Sprint(i))\n_ = n\n}`), []);
  });

  it('come through functions whose last line gives an error that may be none', async () => {
    const write = 'func write(name string) error {\n_, err := os.Stat(name)\nreturn err\n}';
    assert.deepEqual(
      await linesOf('write("fixed")\nreturn nil, nil, os.Remove("/srv/" + in.Name)', write),
      [8],
    );
  });
});
