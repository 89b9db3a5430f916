import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const rules = async (path: string, text: string): Promise<string[]> => {
  const { observations } = await analyseProject([{ path, text }]);
  return observations.map(({ rule }) => rule);
};

const option = ['argument-injection'];

const inScript = (check: string, call = 'checkArguments(args);'): Promise<string[]> =>
  rules(
    'server.ts',
    `import { execFile } from 'node:child_process';
import { z } from 'zod';
const KNOWN = new Set(['--oneline', '--stat']);
${check}
server.tool('history', { args: z.array(z.string()) }, async ({ args }) => {
  ${call}
  execFile('git', ['log', ...args]);
});
`,
  );

const inLoop = (body: string, head = 'for (const arg of list)') =>
  inScript(`function checkArguments(list: string[]): void { ${head} { ${body} } }`);

const refuse = "throw new Error('no options');";

const inPython = (check: string): Promise<string[]> =>
  rules(
    'server.py',
    `import re
import subprocess
KNOWN = {"--oneline", "--stat"}
@mcp.tool()
def history(args: list[str]) -> str:
${check
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
    return subprocess.run(["git", "log", *args], capture_output=True).stdout
`,
  );

const inGo = (body: string): Promise<string[]> =>
  rules(
    'main.go',
    `package main
import ("errors"; "net/http"; "os/exec"; "strings")
var known = map[string]bool{"--oneline": true}
func check(args []string) error {
	${body}
	return nil
}
func history(w http.ResponseWriter, r *http.Request) {
	args := r.URL.Query()["arg"]
	if err := check(args); err != nil {
		return
	}
	exec.Command("git", append([]string{"log"}, args...)...).Run()
}
`,
  );

const inJava = (check: string): Promise<string[]> =>
  rules(
    'Server.java',
    `import java.util.*;
class Server {
  @Tool(description = "Shows the history")
  public String history(List<String> args) throws Exception {
    ${check}
    List<String> command = new ArrayList<>(List.of("git", "log"));
    command.addAll(args);
    new ProcessBuilder(command).start();
    return "";
  }
}
`,
  );

const inRust = (check: string): Promise<string[]> =>
  rules(
    'server.rs',
    `use std::process::Command;
#[tool(description = "Shows the history")]
fn history(&self, args: Vec<String>) -> Result<String, String> {
    ${check}
    let out = Command::new("git").arg("log").args(&args).output();
    Ok(String::new())
}
`,
  );

describe('a list of arguments has no option', () => {
  it('where a loop ends in an error for each that begins with a dash or is not known', async () => {
    assert.deepEqual(await inScript('', ''), option);
    assert.deepEqual(await inLoop(`if (arg.startsWith('-') && !KNOWN.has(arg)) ${refuse}`), []);
    assert.deepEqual(await inLoop(`if (KNOWN.has(arg)) continue; if (arg.startsWith('-')) ${refuse}`), []);
    const name = "const name = arg.split('=')[0];";
    assert.deepEqual(await inLoop(`${name} if (arg.startsWith('-') && !KNOWN.has(name)) ${refuse}`), []);
    const counted = 'for (let i = 0; i < list.length; i++)';
    assert.deepEqual(await inLoop(`if (list[i].startsWith('-')) ${refuse}`, counted), []);
    assert.deepEqual(await inLoop(`const arg = list[i]; if (arg.startsWith('-')) ${refuse}`, counted), []);
    assert.deepEqual(
      await inLoop(`if (arg.startsWith('-')) ${refuse}`, 'for (const [at, arg] of list.entries())'),
      [],
    );
  });

  it('and not where some of them were not looked at', async () => {
    assert.deepEqual(await inLoop(`if (arg.startsWith('-')) ${refuse} break;`), option);
    assert.deepEqual(
      await inLoop(`if (arg.length > 3) continue; if (arg.startsWith('-')) ${refuse}`),
      option,
    );
    assert.deepEqual(await inLoop("if (arg.startsWith('-')) console.warn(arg);"), option);
    const fromSecond = 'for (let i = 1; i < list.length; i++)';
    assert.deepEqual(await inLoop(`if (list[i].startsWith('-')) ${refuse}`, fromSecond), option);
    const everySecond = 'for (let i = 0; i < list.length; i += 2)';
    assert.deepEqual(await inLoop(`if (list[i].startsWith('-')) ${refuse}`, everySecond), option);
  });

  it('where the first letter is looked at, or a pattern of one that begins with a dash', async () => {
    for (const test of [
      "arg[0] === '-'",
      "arg.charAt(0) === '-'",
      "arg.slice(0, 1) === '-'",
      '/^-/.test(arg)',
    ])
      assert.deepEqual(await inLoop(`if (${test}) ${refuse}`), [], test);
    for (const test of ["arg[1] === '-'", "arg.charAt(2) === '-'", '/^--exec/.test(arg)', '/-/g.exec("a")'])
      assert.deepEqual(await inLoop(`if (${test}) ${refuse}`), option, test);
    for (const pattern of ['/^[^-]/', String.raw`/^(?!-)[\w./-]+$/`])
      assert.deepEqual(await inLoop(`if (!${pattern}.test(arg)) ${refuse}`), [], pattern);
  });

  it('where its schema says so', async () => {
    const read = (schema: string) =>
      rules(
        'server.ts',
        `import { execFile } from 'node:child_process';
import { z } from 'zod';
const isPlain = (text: string) => !text.startsWith('-');
server.tool('history', { ref: ${schema} }, async ({ ref }) => { execFile('git', ['log', ref]); });
`,
      );
    assert.deepEqual(await read("z.string().refine(isPlain, 'no options').describe('a branch')"), []);
    assert.deepEqual(await read('z.string().refine((text) => text.length < 40)'), option);
  });

  it('in Python', async () => {
    const no = '    raise ValueError("no options")';
    assert.deepEqual(await inPython('pass'), option);
    assert.deepEqual(
      await inPython(`for at, arg in enumerate(args):\n    if arg[:1] == "-":\n    ${no}`),
      [],
    );
    assert.deepEqual(await inPython(`if any(re.match("-", arg) for arg in args):\n${no}`), []);
    const unknown = 'bad = [arg for arg in args if arg.startswith("-") and arg not in KNOWN]';
    assert.deepEqual(await inPython(`${unknown}\nif bad:\n${no}`), []);
    assert.deepEqual(await inPython(`if not set(args) <= KNOWN:\n${no}`), []);
    assert.deepEqual(await inPython(`extra = set(args) - KNOWN\nif extra:\n${no}`), []);
    assert.deepEqual(await inPython(`bad = [arg for arg in args if len(arg) > 9]\nif bad:\n${no}`), option);
  });

  it('in Go, Java and Rust', async () => {
    const error = 'return errors.New("no options")';
    assert.deepEqual(await inGo('strings.TrimSpace("")'), option);
    assert.deepEqual(
      await inGo(`for i := 0; i < len(args); i++ { if len(args[i]) > 0 && args[i][0] == '-' { ${error} } }`),
      [],
    );
    assert.deepEqual(await inGo(`for _, arg := range args { if !known[arg] { ${error} } }`), []);
    const thrown = 'throw new IllegalArgumentException("no options");';
    assert.deepEqual(await inJava(''), option);
    assert.deepEqual(
      await inJava(`for (int i = 0; i < args.size(); i++) { if (args.get(i).charAt(0) == '-') ${thrown} }`),
      [],
    );
    assert.deepEqual(await inJava(`if (args.stream().anyMatch(arg -> arg.startsWith("-"))) ${thrown}`), []);
    assert.deepEqual(await inJava(`if (!args.stream().noneMatch(arg -> arg.startsWith("-"))) ${thrown}`), []);
    const err = 'return Err("no options".into());';
    assert.deepEqual(await inRust(''), option);
    assert.deepEqual(await inRust(`if args.iter().any(|arg| arg.starts_with('-')) { ${err} }`), []);
    assert.deepEqual(
      await inRust(`for (at, arg) in args.iter().enumerate() { if arg.starts_with("-") { ${err} } }`),
      [],
    );
  });
});
