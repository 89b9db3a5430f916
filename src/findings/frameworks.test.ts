import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crosswalk, findEntry, frameworks, getEntry, relatedTo } from './frameworks.ts';

test('each framework has its source, version, date and unique, well-formed ids', () => {
  assert.equal(frameworks().size, 13);
  for (const { id, name, version, source, licence, date, form, entries } of frameworks().values()) {
    assert.ok(name !== '' && version !== '' && licence !== '', id);
    assert.match(source, /^https?:\/\//, id);
    assert.match(date, /^20\d\d(-\d\d){0,2}$/, id);
    assert.equal(new Set(entries.map((entry) => entry.id)).size, entries.length, id);
    for (const entry of entries) {
      assert.match(entry.id, new RegExp(form), id);
      assert.ok(entry.title.trim() !== '', entry.id);
      for (const other of [entry.parent, entry.replaced_by])
        if (other !== undefined)
          assert.ok(findEntry({ framework: id, id: other }), `${entry.id} names ${other}`);
    }
  }
});

test('frameworks included in full have as many entries as were published', () => {
  const sizes = Object.entries({
    'owasp-llm': 10,
    'owasp-agentic': 10,
    'owasp-agentic-threats': 17,
    'owasp-mcp': 10,
    'nist-genai': 12,
    'air-2024': 16,
    // Four functions; six, five, four and four categories.
    'nist-ai-rmf': 23,
  });
  for (const [id, size] of sizes) assert.equal(frameworks().get(id)?.entries.length, size, id);
});

test('the crosswalk has one row per agentic risk and names only current entries', () => {
  const agentic = frameworks()
    .get('owasp-agentic')
    ?.entries.map(({ id }) => id);
  assert.deepEqual(
    crosswalk()
      .map(({ entries }) => entries['owasp-agentic'])
      .flat(),
    agentic,
  );
  for (const { entries } of crosswalk())
    for (const [framework, ids] of Object.entries(entries))
      for (const id of ids) assert.equal(getEntry({ framework, id }).replaced_by, undefined, id);
});

test('related entries are those of all rows that contain one of the references', () => {
  const related = relatedTo([{ framework: 'owasp-mcp', id: 'MCP05:2025' }]).map(({ id }) => id);
  for (const id of ['ASI05:2026', 'T11', 'LLM05:2025', 'CWE-78', 'AML.T0050'])
    assert.ok(related.includes(id), id);
  assert.ok(!related.includes('MCP05:2025'));
  assert.deepEqual(relatedTo([{ framework: 'cwe', id: 'CWE-1333' }]), []);
});

test('an unknown id is an error', () => {
  assert.throws(() => getEntry({ framework: 'cwe', id: 'CWE-9999' }), RangeError);
  assert.throws(() => getEntry({ framework: 'none', id: 'X' }), RangeError);
  assert.equal(findEntry({ framework: 'mitre-atlas', id: 'AML.T0104' })?.replaced_by, 'AML.T0115.002');
});
