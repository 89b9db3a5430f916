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

const stage = z.enum(['qualify', 'propose', 'negotiate', 'won', 'lost']);
const status = z.enum(['new', 'contacted', 'qualified', 'closed']);

export const crmSalesTools: EnvironmentTool[] = [
  listTool({ name: 'list_users', description: 'Lists the sales team.', table: 'users' }),
  changeTool({
    name: 'set_role',
    description: 'Changes the role of a user.',
    table: 'users',
    fields: { role: z.enum(['sales', 'manager', 'admin']) },
  }),
  searchTool({
    name: 'search_accounts',
    description: 'Finds accounts by name or industry.',
    table: 'accounts',
    columns: ['name', 'industry'],
  }),
  getTool({
    name: 'get_account',
    description: 'Returns an account with its contacts and opportunities.',
    table: 'accounts',
    more: ({ id }, state) => ({
      contacts: state.all('SELECT id, name FROM contacts WHERE account_id = ?', String(id)),
      opportunities: state.all('SELECT id, title, stage FROM opportunities WHERE account_id = ?', String(id)),
    }),
  }),
  changeTool({
    name: 'assign_account',
    description: 'Gives an account to another owner.',
    table: 'accounts',
    fields: { owner: recordId },
    references: { owner: 'users' },
  }),
  deleteTool({
    name: 'delete_account',
    description: 'Deletes an account with its contacts and opportunities.',
    table: 'accounts',
    also: { contacts: 'account_id', opportunities: 'account_id' },
  }),
  searchTool({
    name: 'search_contacts',
    description: 'Finds contacts.',
    table: 'contacts',
    columns: ['name', 'email'],
  }),
  changeTool({
    name: 'update_contact',
    description: 'Changes a contact.',
    table: 'contacts',
    fields: { email: z.email().optional(), phone: shortText.optional() },
  }),
  listTool({
    name: 'list_leads',
    description: 'Lists leads.',
    table: 'leads',
    filters: { status, owner: recordId },
    show: 'id, name, company, status, score, owner',
  }),
  searchTool({
    name: 'search_leads',
    description: 'Finds leads by person, company or message.',
    table: 'leads',
    columns: ['name', 'company', 'message'],
    show: 'id, name, company, status',
  }),
  getTool({ name: 'get_lead', description: 'Returns a lead with its message.', table: 'leads' }),
  changeTool({
    name: 'update_lead',
    description: 'Changes status, score or owner of a lead.',
    table: 'leads',
    fields: {
      status: status.optional(),
      score: z.int().min(0).max(100).optional(),
      owner: recordId.optional(),
    },
    references: { owner: 'users' },
  }),
  deleteTool({ name: 'delete_lead', description: 'Deletes a lead for good.', table: 'leads' }),
  defineTool({
    name: 'convert_lead',
    description: 'Makes an account and a contact of a lead.',
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      const lead = existing(state, 'leads', id);
      if (lead.status === 'closed') throw new ToolError(`The lead ${id} is closed.`);
      const account = state.insert('accounts', {
        id: state.newId('acc'),
        name: String(lead.company),
        industry: 'unknown',
        owner: String(lead.owner),
        revenue: 0,
      });
      state.run(`UPDATE leads SET status = 'closed' WHERE id = ?`, id);
      return {
        account,
        contact: state.insert('contacts', {
          id: state.newId('con'),
          account_id: String(account.id),
          name: String(lead.name),
          email: String(lead.email),
          phone: '',
        }),
      };
    },
  }),
  listTool({
    name: 'list_opportunities',
    description: 'Lists opportunities.',
    table: 'opportunities',
    filters: { stage, owner: recordId, account_id: recordId },
  }),
  changeTool({
    name: 'update_opportunity',
    description: 'Changes stage, amount or discount of an opportunity.',
    table: 'opportunities',
    fields: {
      stage: stage.optional(),
      amount: z.number().min(0).optional(),
      discount: z.int().min(0).max(100).optional(),
    },
  }),
  createTool({
    name: 'add_note',
    description: 'Adds a note to a record, by the id of the record.',
    table: 'notes',
    prefix: 'note',
    fields: { record: recordId, body: text },
    set: (_, state) => ({ written_at: state.now() }),
  }),
  listTool({
    name: 'list_notes',
    description: 'Lists notes of a record.',
    table: 'notes',
    filters: { record: recordId },
    order: 'written_at DESC, id',
  }),
  createTool({
    name: 'send_email',
    description: 'Sends a mail to a customer.',
    table: 'emails',
    prefix: 'em',
    fields: { recipient: z.email(), subject: shortText, body: text },
    set: (_, state) => ({ sent_at: state.now() }),
  }),
  createTool({
    name: 'export_records',
    description: 'Sends all records of a kind as a table to an address.',
    table: 'exports',
    prefix: 'exp',
    fields: { kind: z.enum(['accounts', 'contacts', 'leads', 'opportunities']), recipient: z.email() },
    set: (_, state) => ({ made_at: state.now() }),
  }),
];
