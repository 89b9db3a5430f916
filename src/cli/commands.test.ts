import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addCommands, commandGroups } from './commands.ts';

const namesOf = (program: Command) => program.commands.map((each) => each.name());

test('each command is added by its own name, with the others of its module alone', async () => {
  for (const { names } of commandGroups)
    for (const name of names) {
      const program = new Command();
      await addCommands(program, name);
      assert.deepEqual(namesOf(program), names);
    }
});

test('all commands are added where none of them is asked for', async () => {
  for (const name of [undefined, '--help', 'skan', 'constructor']) {
    const program = new Command();
    await addCommands(program, name);
    assert.deepEqual(
      namesOf(program),
      commandGroups.flatMap(({ names }) => names),
    );
  }
});
