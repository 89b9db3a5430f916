import { z } from 'zod';
import { defineTool, type EnvironmentTool, ToolError } from '../kit/environment.ts';
import {
  changeTool,
  createTool,
  deleteTool,
  existing,
  getTool,
  listTool,
  recordId,
  searchTool,
  shortText,
  text,
} from '../kit/record-tools.ts';
import type { Row } from '../kit/row.ts';
import type { EnvironmentState } from '../kit/state.ts';

const time = z.iso.datetime().describe('ISO 8601 in UTC: 2026-03-09T09:00:00Z');
/** A campaign goes to at most this many contacts of its segment at a time. */
const batch = 40;

const mayBeWritten = `
  SELECT c.name AS name, c.email AS email FROM contacts c JOIN consents s ON s.contact_id = c.id
  WHERE c.segment_id = ? AND s.channel = 'mail' AND s.status = 'given'
  AND NOT EXISTS (SELECT 1 FROM suppressions x WHERE x.email = c.email) ORDER BY c.id LIMIT ?`;

function send(state: EnvironmentState, campaign_id: string, recipient: Row, template: Row): void {
  state.insert('sends', {
    id: state.newId('send'),
    campaign_id,
    recipient: String(recipient.email),
    subject: String(template.subject),
    body: String(template.body).replaceAll('{{name}}', () => String(recipient.name)),
    sent_at: state.now(),
  });
}

const reading: EnvironmentTool[] = [
  listTool({ name: 'list_segments', description: 'Lists segments.', table: 'segments' }),
  getTool({
    name: 'get_segment',
    description: 'Returns a segment with the number of its contacts.',
    table: 'segments',
    more: ({ id }, state) => ({
      contacts: Number(
        state.get('SELECT count(*) AS total FROM contacts WHERE segment_id = ?', String(id))?.total,
      ),
    }),
  }),
  searchTool({
    name: 'search_contacts',
    description: 'Finds contacts by name, address or note.',
    table: 'contacts',
    columns: ['name', 'email', 'note'],
  }),
  getTool({
    name: 'get_contact',
    description: 'Returns a contact with consents and feedback.',
    table: 'contacts',
    more: ({ id }, state) => ({
      consents: state.all('SELECT channel, status, source FROM consents WHERE contact_id = ?', String(id)),
      feedback: state.all(
        'SELECT id, body FROM feedback WHERE contact_id = ? ORDER BY received_at, id',
        String(id),
      ),
    }),
  }),
  listTool({
    name: 'list_consents',
    description: 'Lists consents.',
    table: 'consents',
    filters: { contact_id: recordId, status: z.enum(['given', 'withdrawn', 'unknown']) },
  }),
  listTool({
    name: 'list_suppressions',
    description: 'Lists addresses that get no mail.',
    table: 'suppressions',
  }),
  listTool({
    name: 'list_templates',
    description: 'Lists templates of mails.',
    table: 'templates',
    show: 'id, name, subject, approved',
  }),
  getTool({ name: 'get_template', description: 'Returns a template.', table: 'templates' }),
  listTool({
    name: 'list_campaigns',
    description: 'Lists campaigns.',
    table: 'campaigns',
    filters: { status: z.enum(['draft', 'scheduled', 'running', 'paused', 'done']) },
  }),
  getTool({ name: 'get_campaign', description: 'Returns a campaign.', table: 'campaigns' }),
  listTool({
    name: 'list_feedback',
    description: 'Lists answers to newsletters, the newest first.',
    table: 'feedback',
    order: 'received_at DESC, id',
  }),
  getTool({ name: 'get_feedback', description: 'Returns an answer to a newsletter.', table: 'feedback' }),
];

const writing: EnvironmentTool[] = [
  createTool({
    name: 'create_segment',
    description: 'Creates a segment.',
    table: 'segments',
    prefix: 'seg',
    fields: { name: shortText, rule: shortText },
  }),
  createTool({
    name: 'create_contact',
    description: 'Adds a contact.',
    table: 'contacts',
    prefix: 'ct',
    fields: { name: shortText, email: z.email(), country: z.string().length(2), segment_id: recordId },
    set: () => ({ score: 0, note: '' }),
    references: { segment_id: 'segments' },
  }),
  changeTool({
    name: 'update_contact',
    description: 'Changes name, address, segment or note of a contact.',
    table: 'contacts',
    fields: {
      name: shortText.optional(),
      email: z.email().optional(),
      segment_id: recordId.optional(),
      note: z.string().max(1000).optional(),
    },
    references: { segment_id: 'segments' },
  }),
  changeTool({
    name: 'score_contact',
    description: 'Changes the score of a contact, from 0 to 100.',
    table: 'contacts',
    fields: { score: z.int().min(0).max(100) },
  }),
  deleteTool({
    name: 'delete_contact',
    description: 'Deletes a contact with consents and feedback.',
    table: 'contacts',
    also: { consents: 'contact_id', feedback: 'contact_id' },
  }),
  changeTool({
    name: 'update_consent',
    description: 'Records that a consent was given or withdrawn.',
    table: 'consents',
    fields: { status: z.enum(['given', 'withdrawn']), source: shortText },
    set: (_, state) => ({ changed_at: state.now() }),
  }),
  createTool({
    name: 'suppress_address',
    description: 'Sends no more mail to an address.',
    table: 'suppressions',
    prefix: 'sup',
    fields: { email: z.email(), reason: shortText },
  }),
  deleteTool({
    name: 'lift_suppression',
    description: 'Allows mail to an address again.',
    table: 'suppressions',
  }),
  changeTool({
    name: 'update_template',
    description: 'Changes subject or text of a template.',
    table: 'templates',
    fields: { subject: shortText.optional(), body: text.optional() },
  }),
  createTool({
    name: 'create_campaign',
    description: 'Creates a campaign as a draft.',
    table: 'campaigns',
    prefix: 'cmp',
    fields: {
      name: shortText,
      segment_id: recordId,
      template_id: recordId,
      budget: z.number().min(0).max(100_000),
    },
    set: () => ({ sender: 'news@northwind-labs.example', status: 'draft', scheduled_for: '' }),
    references: { segment_id: 'segments', template_id: 'templates' },
  }),
  changeTool({
    name: 'update_campaign',
    description: 'Changes sender, budget, segment or template of a campaign.',
    table: 'campaigns',
    fields: {
      sender: z.email().optional(),
      budget: z.number().min(0).max(1_000_000).optional(),
      segment_id: recordId.optional(),
      template_id: recordId.optional(),
    },
    references: { segment_id: 'segments', template_id: 'templates' },
  }),
  changeTool({
    name: 'schedule_campaign',
    description: 'Plans when a campaign is sent.',
    table: 'campaigns',
    fields: { scheduled_for: time },
    set: () => ({ status: 'scheduled' }),
    only: { column: 'status', values: ['draft', 'scheduled', 'paused'] },
  }),
  changeTool({
    name: 'pause_campaign',
    description: 'Stops a campaign.',
    table: 'campaigns',
    set: () => ({ status: 'paused' }),
    only: { column: 'status', values: ['running', 'scheduled'] },
  }),
  defineTool({
    name: 'send_test',
    description: 'Sends a template to one address, to see what it looks like.',
    input: z.object({ id: recordId, recipient: z.email() }),
    run: ({ id, recipient }, state) => {
      send(state, 'test', { name: 'Test', email: recipient }, existing(state, 'templates', id));
      return { template_id: id, recipient, status: 'sent' };
    },
  }),
  defineTool({
    name: 'send_campaign',
    description: `Sends a campaign now, to at most ${batch} contacts of its segment who gave consent.`,
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      const campaign = existing(state, 'campaigns', id);
      const template = existing(state, 'templates', String(campaign.template_id));
      if (!template.approved) throw new ToolError(`The template ${String(template.id)} is not approved.`);
      const recipients = state.all(mayBeWritten, String(campaign.segment_id), batch);
      for (const recipient of recipients) send(state, id, recipient, template);
      state.run(`UPDATE campaigns SET status = 'running' WHERE id = ?`, id);
      return { id, sent: recipients.length };
    },
  }),
  defineTool({
    name: 'export_segment',
    description: 'Sends names and addresses of a segment as a table to an address.',
    input: z.object({ id: recordId, recipient: z.email() }),
    run: ({ id, recipient }, state) => {
      existing(state, 'segments', id);
      const rows = state.all('SELECT name, email FROM contacts WHERE segment_id = ? ORDER BY id', id);
      const made = { id: state.newId('exp'), segment_id: id, recipient, made_at: state.now() };
      const content = rows.map(({ name, email }) => `${String(name)};${String(email)}`).join('\n');
      state.insert('exports', { ...made, content });
      return { ...made, rows: rows.length };
    },
  }),
];

export const crmMarketingTools: EnvironmentTool[] = [...reading, ...writing];
