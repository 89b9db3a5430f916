import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

/** Lines at which a request reaches a file or a shell, where this is in its handler. */
async function linesOf(handler: string, more = ''): Promise<(number | undefined)[]> {
  const text = `package main
import ("encoding/json"; "fmt"; "net/http"; "os"; "os/exec"; "slices"; "strings"; "github.com/gofiber/fiber/v2")
${more}
func load(w http.ResponseWriter, r *http.Request) {
${handler}
}
`;
  const { observations } = await analyseProject([{ path: 'main.go', text }]);
  return observations.flatMap(({ rule, location, severity }) =>
    /^(?:path-traversal|command-injection)$/.test(rule) && severity !== 'low' ? [location?.startLine] : [],
  );
}

describe("functions of Go's library", () => {
  it('write into a text that is read as a whole', async () => {
    const ran = 'exec.Command("sh", "-c", line.String()).Run()';
    assert.deepEqual(
      await linesOf(`var line strings.Builder\nfmt.Fprintf(&line, "ls %s", r.FormValue("a"))\n${ran}`),
      [7],
    );
    assert.deepEqual(
      await linesOf(`line := new(strings.Builder)\nfmt.Fprint(line, "ls ", r.FormValue("a"))\n${ran}`),
      [7],
    );
    assert.deepEqual(
      await linesOf(`var line strings.Builder\nfmt.Fprintf(&line, "ls %d", r.FormValue("a"))\n${ran}`),
      [],
    );
  });

  it('keep the value that is made one of a named type', async () => {
    const named =
      'type Args map[string]any; func (a Args) text(k string) string { s, _ := a[k].(string); return s }';
    assert.deepEqual(
      await linesOf(
        'var in map[string]any\njson.NewDecoder(r.Body).Decode(&in)\nos.Remove("/srv/" + Args(in).text("a"))',
        named,
      ),
      [7],
    );
  });

  it('put behind a pointer what who gave it finds there', async () => {
    const options =
      'type options struct { folder string }; func with(f string) func(*options) { return func(o *options) { o.folder = f } }';
    assert.deepEqual(
      await linesOf(
        'o := &options{folder: "a"}\nwith(r.FormValue("a"))(o)\nos.Remove("/srv/" + o.folder)',
        options,
      ),
      [7],
    );
    assert.deepEqual(
      await linesOf('o := &options{folder: "a"}\nwith("b")(o)\nos.Remove("/srv/" + o.folder)', options),
      [],
    );
  });

  it('test what they are called on or given', async () => {
    const kinds =
      'type Kind string; const Red Kind = "red"; func (k Kind) Valid() bool { return k == Red || k == "blue" }';
    const removed = 'os.Remove("/srv/" + string(kind))';
    assert.deepEqual(
      await linesOf(`kind := Kind(r.FormValue("a"))\nif !kind.Valid() { return }\n${removed}`, kinds),
      [],
    );
    assert.deepEqual(await linesOf(`kind := Kind(r.FormValue("a"))\nkind.Valid()\n${removed}`, kinds), [7]);
    assert.deepEqual(
      await linesOf(
        `kind := r.FormValue("a")\nif !slices.Contains([]string{"red", "blue"}, kind) { return }\n${removed}`,
      ),
      [],
    );
    assert.deepEqual(
      await linesOf(`kind := r.FormValue("a")\nif strings.ContainsAny(kind, "/") { return }\n${removed}`),
      [],
    );
  });

  it('hand requests to handlers that are closures', async () => {
    const routes =
      'func routes(app *fiber.App) { app.Get("/books/:name", func(c *fiber.Ctx) error { return os.Remove("/srv/" + c.Params("name")) }) }';
    assert.deepEqual(await linesOf('', routes), [3]);
  });
});
