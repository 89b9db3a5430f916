import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domains } from '#environments/kit/environment.ts';
import { findEntry } from '../../../findings/frameworks.ts';
import { shippedTasks } from './load.ts';
import { riskCategories, riskCategoryIds, vectors } from './taxonomy.ts';

function frameworkOf(id: string): string {
  if (id.startsWith('ASI')) return 'owasp-agentic';
  return id.startsWith('LLM') ? 'owasp-llm' : 'mitre-atlas';
}

test('The ids of the risk categories are published entries', () => {
  const unknown = riskCategoryIds.flatMap((category) =>
    riskCategories[category].frameworks.filter((id) => {
      const framework = frameworkOf(id);
      return !findEntry({ framework, id });
    }),
  );
  assert.deepEqual(unknown, []);
});

test('The shipped tasks cover each domain, category, vector and threat model', () => {
  const tasks = shippedTasks();
  assert.ok(tasks.length >= 2000, `${tasks.length} instances`);
  for (const domain of domains) {
    const own = tasks.filter((task) => task.domain === domain);
    for (const vector of vectors)
      assert.ok(
        own.some((task) => task.vector === vector),
        `${domain} ${vector}`,
      );
    for (const model of ['benign', 'direct', 'indirect'])
      assert.ok(
        own.some((task) => task.threatModel === model),
        `${domain} ${model}`,
      );
    for (const category of riskCategoryIds)
      assert.ok(
        own.some((task) => task.riskCategory === category),
        `${domain} ${category}`,
      );
  }
});
