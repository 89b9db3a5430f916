import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

const inHandler = async (text: string): Promise<string[]> => {
  const { observations } = await analyseProject([
    {
      path: 'a.ts',
      text: `import { z } from 'zod';
import { exec } from 'node:child_process';
const Input = z.object({
  shelf: z.string(),
  order: z.enum(['name', 'date']),
  parts: z.array(z.enum(['a', 'b'])),
  at: z.number(),
  code: z.string().regex(/^[a-z]+$/),
});
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  ${text}
});
`,
    },
  ]);
  return observations.map(({ rule }) => rule);
};

const command = ['command-injection'];

describe('what a schema says of an input', () => {
  it('holds for what it parsed', async () => {
    const parse = 'const input = Input.parse(request.params.arguments);';
    assert.deepEqual(await inHandler(`${parse} exec('ls ' + input.shelf);`), command);
    for (const name of ['order', 'at', 'code'])
      assert.deepEqual(await inHandler(`${parse} exec('ls ' + input.${name});`), [], name);
    assert.deepEqual(await inHandler(`${parse} exec('ls ' + input.parts.join(' '));`), []);
  });

  it('holds where it is asked first whether it fits', async () => {
    const parse =
      'const result = Input.safeParse(request.params.arguments); if (!result.success) return; const { shelf, order } = result.data;';
    assert.deepEqual(await inHandler(`${parse} exec('ls ' + shelf);`), command);
    assert.deepEqual(await inHandler(`${parse} exec('ls ' + order);`), []);
  });

  it('says nothing of the input itself', async () => {
    const parse = 'const all = request.params.arguments; Input.parse(all);';
    assert.deepEqual(await inHandler(`${parse} exec('ls ' + all.order);`), command);
  });
});
