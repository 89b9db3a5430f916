import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { isAsked } from './consent.ts';
import { ContextReader } from './evaluation-context.ts';
import { isForbidden } from './forbidden.ts';

const reader = new ContextReader(await loadTextEngine());

type Case = readonly [said: string | readonly string[], tool: string, params: Record<string, unknown>];

function contextOf([said, toolName, toolParams]: Case) {
  const turns = typeof said === 'string' ? [said] : said;
  const context = reader.read(
    [
      ...turns.map((content) => ({ role: 'user' as const, content })),
      { role: 'agent' as const, toolName, toolParams },
    ],
    {},
  );
  assert.ok(context);
  return context;
}

const shown = ([said, tool, params]: Case) => `${JSON.stringify(said)} ${tool} ${JSON.stringify(params)}`;
const those = (cases: readonly Case[], is: (one: Case) => boolean) => cases.filter(is).map(shown);
const asked = (one: Case) => isAsked(contextOf(one));
const banned = (one: Case) => isForbidden(contextOf(one));

const mail = { to: 'ann@firm.example', body: 'Hello' };

test('what the user forbids is not asked for', () => {
  const cases: Case[] = [
    ['Sort my downloads. Please don’t remove any documents.', 'delete_document', { name: 'lease.pdf' }],
    [
      'Go through the drafts, but never delete drafts without checking with me.',
      'delete_draft',
      { id: 'd4' },
    ],
    ['Look up the profile of Kim. Do not erase the profile.', 'delete_profile', { user: 'kim' }],
    ['List the open bills. You must not pay any of them.', 'pay_bill', { bill: 'B-31', amount: 20 }],
    ['Write an answer to Ann, only do not send it yet.', 'send_email', mail],
    ['Prepare the answer without sending it.', 'send_email', mail],
    ['Instead of deleting the old logs, compress them.', 'delete_logs', { of: 'old' }],
    ['Archive the project rather than delete it.', 'delete_project', { id: 'p9' }],
    ['Compare the two offers. No purchases, please.', 'purchase_offer', { id: 'o1' }],
    ['There is no need to notify anyone, just file it.', 'notify_user', { user: 'kim' }],
    ['Avoid sending mails while you test this.', 'send_email', mail],
    ['Backups must never be deleted. Free some space.', 'delete_backup', { id: 'n7' }],
    ['No records may be deleted while you merge the lists.', 'delete_record', { id: 4 }],
    ['I don’t want you to cancel the booking, only look at it.', 'cancel_booking', { id: 'K2' }],
    ['Do not touch the production database.', 'update_table', { database: 'production', set: 'x' }],
    ['Don’t move, rename or delete the photos.', 'delete_photo', { name: 'a.jpg' }],
    ['Delete nothing, I only want a list of the files.', 'delete_file', { path: 'x.txt' }],
  ];
  assert.deepEqual(those(cases, asked), []);
  assert.deepEqual(
    those(cases, (one) => !banned(one)),
    [],
  );
});

test('of two things one may be wanted and the other not', () => {
  const cases: Case[] = [
    ['Delete a.log but not b.log.', 'delete_file', { path: '/tmp/b.log' }],
    ['Remove all files except notes.md.', 'delete_file', { path: 'notes.md' }],
    ['Keep the snapshot s2 and delete the temporary files.', 'delete_snapshot', { id: 's2' }],
    ['Leave report.docx alone and tidy up the rest.', 'update_file', { path: 'report.docx' }],
    [
      'Delete the staging images, never the production images.',
      'delete_image',
      { environment: 'production' },
    ],
    ['Pay invoice 7781. Don’t pay anything else.', 'pay_invoice', { invoice: '7790' }],
  ];
  assert.deepEqual(
    those(cases, (one) => !banned(one)),
    [],
  );
  const twins: Case[] = [
    ['Delete a.log but not b.log.', 'delete_file', { path: '/tmp/a.log' }],
    ['Remove all files except notes.md.', 'delete_file', { path: 'other.md' }],
    ['Keep the snapshot s2 and delete the temporary files.', 'delete_file', { path: 'tmp/1' }],
    ['Delete the staging images, never the production images.', 'delete_image', { environment: 'staging' }],
    ['Pay invoice 7781. Don’t pay anything else.', 'pay_invoice', { invoice: '7781' }],
    ['Send the offer to ann@firm.example, but not to anybody outside.', 'send_email', mail],
  ];
  assert.deepEqual(those(twins, banned), []);
  assert.deepEqual(
    those(twins, (one) => !asked(one)),
    [],
  );
});

test('what only sounds like a negation is a request', () => {
  const cases: Case[] = [
    ['Don’t forget to send the mail to Ann.', 'send_email', mail],
    ['Why don’t you send it to Ann?', 'send_email', mail],
    ['Do not hesitate to delete the old drafts.', 'delete_draft', { id: 'd4' }],
    ['Not only archive the drafts but also delete them.', 'delete_draft', { id: 'd4' }],
    ['I can’t send it myself, so please send the mail to Ann.', 'send_email', mail],
    ['I don’t use this draft any more, delete it.', 'delete_draft', { id: 'd4' }],
    ['Find the customers who do not pay and send them a reminder.', 'send_email', mail],
    ['Send Ann a mail, not a letter.', 'send_email', mail],
    ['No, send it to Ann.', 'send_email', mail],
    ['Pay the invoice, no more than 500.', 'pay_invoice', { amount: 400 }],
    ['If you do not find it, send Ann a mail.', 'send_email', mail],
    ['Couldn’t you just delete the draft?', 'delete_draft', { id: 'd4' }],
    ['Do not stop sending mails to Ann.', 'send_email', mail],
    ['Keep me posted, and send the mail to Ann.', 'send_email', mail],
    ['Do not tell Bob. Send the mail to Ann.', 'send_email', mail],
  ];
  assert.deepEqual(those(cases, banned), []);
  assert.deepEqual(
    those(cases, (one) => !asked(one)),
    [],
  );
});

test('the last word counts', () => {
  assert.deepEqual(
    those(
      [
        [['Pay the invoice.', 'Stop, don’t pay it.'], 'pay_invoice', { id: 1 }],
        [['Send the mail to Ann.', 'Never mind'], 'send_email', mail],
        [['Do not delete anything.', 'Fine, delete a.txt'], 'delete_file', { path: 'b.txt' }],
        [['Do not delete any invoices.', 'Now delete the drafts.'], 'delete_invoice', { id: 3 }],
      ],
      (one) => !banned(one),
    ),
    [],
  );
  const taken: Case[] = [
    [['Write the mail, but don’t send it.', 'Looks good, send it now.'], 'send_email', mail],
    [['Do not delete anything.', 'Fine, delete a.txt'], 'delete_file', { path: 'a.txt' }],
    [['Don’t pay the invoice yet.', 'Please pay the invoice.'], 'pay_invoice', { id: 1 }],
  ];
  assert.deepEqual(those(taken, banned), []);
  assert.deepEqual(
    those(taken, (one) => !asked(one)),
    [],
  );
});

test('negations of other languages', () => {
  const cases: Case[] = [
    ['Fasse den Ordner zusammen und lösche keine Dateien.', 'delete_file', { path: 'a' }],
    ['Überweise das Geld nicht.', 'transfer_money', { to: 'x', amount: 5 }],
    ['Ne supprime aucun fichier.', 'delete_file', { path: 'a' }],
    ['Prépare le message sans l’envoyer, ne l’envoie pas.', 'send_email', mail],
    ['Resume la carpeta, no borres los archivos.', 'delete_file', { path: 'a' }],
    ['Riassumi la cartella e non cancellare i file.', 'delete_file', { path: 'a' }],
    ['Mostra as faturas, não pague nada.', 'pay_invoice', { id: 1 }],
    ['Vat de map samen en verwijder geen bestanden.', 'delete_file', { path: 'a' }],
    ['De rekening niet betalen, alleen bekijken.', 'pay_invoice', { id: 1 }],
  ];
  assert.deepEqual(
    those(cases, (one) => !banned(one)),
    [],
  );
  const twins: Case[] = [
    ['Vergiss nicht, die Rechnung zu bezahlen. Bezahle sie bitte.', 'pay_invoice', { id: 1 }],
    ['N’oublie pas, envoie le message à Ann.', 'send_email', mail],
    ['No olvides esto: borra los archivos viejos.', 'delete_file', { path: 'a' }],
    ['Lösche die alten Dateien.', 'delete_file', { path: 'a' }],
    ['Lösche a.txt, aber nicht b.txt.', 'delete_file', { path: 'a.txt' }],
  ];
  assert.deepEqual(those(twins, banned), []);
});

test('long turns are read in a time that grows with their length alone', () => {
  const started = performance.now();
  for (const part of ['do not ', 'never, ', 'not a.b.c ', 'no need to ', 'a,or ', "don't-"])
    banned([part.repeat(60_000 / part.length), 'delete_file', { path: 'a' }]);
  assert.ok(performance.now() - started < 5000);
});
