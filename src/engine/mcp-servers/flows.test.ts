/** What tools can do together, and what hints of the server itself are worth. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DescribedTool } from '#engine/descriptions/tool.ts';
import { flowObservation, toxicFlows } from './flows.ts';

const toolOf = (name: string, description: string, more: Partial<DescribedTool> = {}): DescribedTool => ({
  kind: 'tool',
  name,
  description,
  ...more,
});
const fetching = toolOf('fetch_page', 'Fetches a web page and returns its text.');
const destructiveOf = (tool: DescribedTool) =>
  toxicFlows([{ server: 's', tools: [fetching, tool] }])
    .map(flowObservation)
    .find(({ rule }) => rule === 'TF002');
const hints = { readOnlyHint: true, destructiveHint: false };

describe('toxic flows', () => {
  it('weigh less where a hint and what else is known of a tool say that it only reads', () => {
    const description = 'Lists how to delete resources of a cluster, with examples.';
    assert.equal(destructiveOf(toolOf('list_commands', description))?.severity, 'medium');
    const hinted = destructiveOf(toolOf('list_commands', description, { annotations: hints }));
    assert.deepEqual([hinted?.severity, hinted?.confidence], ['low', 'low']);
  });

  it('weigh the same where the hint is contradicted, and say so', () => {
    for (const tool of [
      toolOf('delete_files', 'Deletes files of the user.', { annotations: hints }),
      toolOf('tidy', 'Deletes all records of the table.', { annotations: { destructiveHint: false } }),
      toolOf('get_stats', 'Deletes all records of the table, then counts.', { annotations: hints }),
      toolOf('list_things', 'Runs a shell command in the terminal.', {
        annotations: hints,
        inputSchema: { properties: { command: { type: 'string' } } },
      }),
    ]) {
      const found = destructiveOf(tool);
      assert.equal(found?.severity, 'medium', tool.name);
      assert.match(found.description, /says in readOnlyHint or destructiveHint/, tool.name);
    }
  });

  it('weigh little where they rest on a name, unless the name says it outright', () => {
    const byName = toolOf('run_script', 'Starts the nightly report.');
    assert.deepEqual([destructiveOf(byName)?.severity, destructiveOf(byName)?.confidence], ['low', 'low']);
    assert.equal(destructiveOf(toolOf('delete_user', 'Ends a membership.'))?.severity, 'medium');
  });

  it('speak of the rights of the database where the tools run SQL', () => {
    const sql = toolOf('query', 'Run a SQL query on the database.', {
      inputSchema: { properties: { sql: { type: 'string' } } },
    });
    assert.match(destructiveOf(sql)?.remedy ?? '', /account of the database/);
    assert.doesNotMatch(destructiveOf(toolOf('delete_user', 'Deletes a user.'))?.remedy ?? '', /database/);
  });

  it('take documentation for no documents of strangers', () => {
    const tools = [
      toolOf('explain_resource', 'Get documentation for a resource or field.'),
      toolOf('delete_pod', 'Deletes a pod.'),
    ];
    assert.deepEqual(toxicFlows([{ server: 's', tools }]), []);
  });
});
