import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

/** Lines at which a tool's `name` reaches a file, where this is the tool's handler. */
async function linesOf(handler: string): Promise<(number | undefined)[]> {
  const text = `package main
import ("context"; "os"; "github.com/modelcontextprotocol/go-sdk/mcp")
type Args struct { Name string }
type Answer struct { Text []byte }
var shelves = map[string]string{"red": "/srv/red", "blue": "/srv/blue"}
func load(ctx context.Context, req *mcp.CallToolRequest, in Args) (*mcp.CallToolResult, any, error) {
${handler}
}
func main() { mcp.AddTool(server, &mcp.Tool{Name: "load"}, load) }
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
});
