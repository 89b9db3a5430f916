import { tryCases } from '../fixtures/try-cases.ts';

tryCases('a place is a domain with what lies below it', 'Deny when it goes to "partner.test".', [
  ['the domain', [['send_email', { to: 'a@partner.test' }]], true],
  ['below it', [['http_post', { url: 'https://api.partner.test/x' }]], true],
  ['an end that looks like it', [['send_email', { to: 'a@notpartner.test' }]], false],
  ['a beginning that looks like it', [['send_email', { to: 'a@partner.test.evil.test' }]], false],
  ['in the part before the sign', [['send_email', { to: 'partner.test@evil.test' }]], false],
  ['a user in an address', [['http_post', { url: 'https://partner.test@evil.test/' }]], false],
  ['nowhere', [['send_email', {}]], false],
]);
