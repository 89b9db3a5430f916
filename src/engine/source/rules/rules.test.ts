import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';
import { loadRuleSet } from './rule-set.ts';

describe('rules', async () => {
  for (const rule of loadRuleSet().rules) {
    const found = async ({ language, code }: { language: string; code: string }) => {
      const { observations, limits } = await analyseProject([
        { path: language.includes('.') ? language : `src/server.${language}`, text: code },
      ]);
      return [...observations, ...limits].filter((each) => each.rule === rule.id);
    };
    rule.tests.bad.forEach((example, at) => {
      it(`${rule.id} finds bad example ${at + 1}`, async () => {
        assert.notEqual((await found(example)).length, 0);
      });
    });
    rule.tests.good.forEach((example, at) => {
      it(`${rule.id} leaves good example ${at + 1} alone`, async () => {
        assert.deepEqual(await found(example), []);
      });
    });
  }
});
