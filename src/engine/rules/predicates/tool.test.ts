import { tryCases } from '../fixtures/try-cases.ts';

tryCases('a star stands for any characters of a name', 'Deny when it is the tool "send_*".', [
  ['meant', [['send_mail', {}]], true],
  ['in capitals', [['SEND_MAIL', {}]], true],
  ['nothing behind it', [['send_', {}]], true],
  ['another', [['resend_mail', {}]], false],
  ['a reply', [['', {}]], false],
  ['marks of patterns mean themselves', [['send.mail', {}]], false],
]);
