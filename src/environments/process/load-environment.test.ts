import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environments } from '../catalogue.ts';
import { loadEnvironment } from './load-environment.ts';

for (const environment of environments)
  test(`${environment.id} is loaded by its id`, async () => {
    assert.equal(await loadEnvironment(environment.id), environment);
  });

for (const id of ['nowhere', '', '../mail', 'mail/mail', 'kit', 'MAIL'])
  test(`${JSON.stringify(id)} is no environment`, async () => {
    assert.equal(await loadEnvironment(id), undefined);
  });
