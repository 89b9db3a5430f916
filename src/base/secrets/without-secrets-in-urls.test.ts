import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSecretsInUrls } from './without-secrets-in-urls.ts';

test('passwords in URLs are masked, and the surrounding text is unchanged', () => {
  const cases: [string, string][] = [
    ['postgres://u:p@h/db', 'postgres://u:[redacted]@h/db'],
    ['redis://:p@h:6379', 'redis://:[redacted]@h:6379'],
    [
      'see https://user:p@ss:w@h/x, twice: smtp://a:b@c',
      'see https://user:[redacted]@h/x, twice: smtp://a:[redacted]@c',
    ],
    [JSON.stringify({ a: 'mysql://u:"q\\@h', b: 'x@y.z' }), '{"a":"mysql://u:[redacted]@h","b":"x@y.z"}'],
    ['postgresql+asyncpg://u:p@h', 'postgresql+asyncpg://u:[redacted]@h'],
    ['https://h/x?a=1&access_token=abc&b=2', 'https://h/x?a=1&access_token=[redacted]&b=2'],
    ['postgres://h/db?sslpassword=abc', 'postgres://h/db?sslpassword=[redacted]'],
    ['POSTGRES://U:P@h', 'POSTGRES://U:[redacted]@h'],
  ];
  for (const [text, wanted] of cases) assert.equal(withoutSecretsInUrls(text), wanted);
  for (const text of [
    'http://127.0.0.1:8100/x@y',
    'ssh://git@host/x',
    '{"url":"http://127.0.0.1:8100","email":"a@b.c"}',
    'a mail to x@y.z, at 10:30',
    'port=80&token_count',
  ])
    assert.equal(withoutSecretsInUrls(text), text);
});

test('a long repetitive text is handled in linear time', () => {
  // With repetitions that are not bounded this would take hours.
  const text = 'a://b:'.repeat(200_000) + ':'.repeat(200_000) + '?token'.repeat(200_000);
  assert.equal(withoutSecretsInUrls(text), text);
});
