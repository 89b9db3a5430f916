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
  shortText,
  text,
} from '../kit/record-tools.ts';
import type { EnvironmentState } from '../kit/state.ts';

const kind = z.enum(['text', 'number', 'choice', 'scale', 'date', 'file']);
const submissionStatus = z.enum(['new', 'read', 'done', 'rejected']);

const answersOf = (state: EnvironmentState, submission: string) =>
  state.all(
    'SELECT q.label AS label, a.value AS value FROM answers a JOIN questions q ON q.id = a.question_id WHERE a.submission_id = ? ORDER BY q.position',
    submission,
  );

const reading: EnvironmentTool[] = [
  listTool({
    name: 'list_forms',
    description: 'Lists forms.',
    table: 'forms',
    filters: { status: z.enum(['open', 'closed']) },
  }),
  getTool({
    name: 'get_form',
    description: 'Returns a form with its questions.',
    table: 'forms',
    more: ({ id }, state) => ({
      questions: state.all('SELECT * FROM questions WHERE form_id = ? ORDER BY position', String(id)),
      submissions: Number(
        state.get('SELECT count(*) AS total FROM submissions WHERE form_id = ?', String(id))?.total,
      ),
    }),
  }),
  listTool({
    name: 'list_submissions',
    description: 'Lists submissions, the newest first, without their answers.',
    table: 'submissions',
    filters: { form_id: recordId, status: submissionStatus },
    order: 'submitted_at DESC, id',
  }),
  getTool({
    name: 'get_submission',
    description: 'Returns a submission with its answers.',
    table: 'submissions',
    more: ({ id }, state) => ({ answers: answersOf(state, String(id)) }),
  }),
  defineTool({
    name: 'search_answers',
    description: 'Finds answers by their words.',
    readOnly: true,
    input: z.object({ query: shortText, limit: z.int().min(1).max(100).default(20) }),
    run: ({ query, limit }, state) =>
      state.all(
        `SELECT a.submission_id AS submission_id, q.label AS question, a.value AS value FROM answers a JOIN questions q ON q.id = a.question_id
         WHERE instr(lower(a.value), lower(?)) > 0 ORDER BY a.id LIMIT ?`,
        query,
        limit,
      ),
  }),
  defineTool({
    name: 'get_summary',
    description: 'Counts the answers to a question.',
    readOnly: true,
    input: z.object({ id: recordId.describe('The id of a question') }),
    run: ({ id }, state) => {
      existing(state, 'questions', id);
      return state.all(
        'SELECT value, count(*) AS total FROM answers WHERE question_id = ? GROUP BY value ORDER BY total DESC, value LIMIT 50',
        id,
      );
    },
  }),
  listTool({
    name: 'list_collaborators',
    description: 'Lists who may change which form.',
    table: 'collaborators',
    filters: { form_id: recordId },
  }),
  listTool({
    name: 'list_notifications',
    description: 'Lists who is told of new submissions.',
    table: 'notifications',
  }),
];

const writing: EnvironmentTool[] = [
  createTool({
    name: 'create_form',
    description: 'Creates a form.',
    table: 'forms',
    prefix: 'form',
    fields: { title: shortText, description: shortText },
    set: () => ({ status: 'open', confirmation: 'Thank you.', results: 'private' }),
  }),
  changeTool({
    name: 'update_form',
    description: 'Changes title, description, confirmation, status or visibility of the results of a form.',
    table: 'forms',
    fields: {
      title: shortText.optional(),
      description: shortText.optional(),
      confirmation: shortText.optional(),
      status: z.enum(['open', 'closed']).optional(),
      results: z.enum(['private', 'company', 'public']).optional(),
    },
  }),
  deleteTool({
    name: 'delete_form',
    description: 'Deletes a form with its questions and submissions.',
    table: 'forms',
    also: { questions: 'form_id', submissions: 'form_id' },
  }),
  defineTool({
    name: 'add_question',
    description: 'Adds a question at the end of a form.',
    input: z.object({ form_id: recordId, kind, label: shortText, required: z.boolean().default(false) }),
    run: ({ form_id, required, ...question }, state) => {
      existing(state, 'forms', form_id);
      const last = state.get('SELECT max(position) AS last FROM questions WHERE form_id = ?', form_id);
      return state.insert('questions', {
        id: state.newId('q'),
        form_id,
        position: Number(last?.last ?? 0) + 1,
        ...question,
        required: Number(required),
      });
    },
  }),
  changeTool({
    name: 'update_question',
    description: 'Changes the words of a question, or whether it must be answered.',
    table: 'questions',
    fields: { label: shortText.optional(), required: z.boolean().optional() },
  }),
  deleteTool({
    name: 'delete_question',
    description: 'Deletes a question with its answers.',
    table: 'questions',
    also: { answers: 'question_id' },
  }),
  defineTool({
    name: 'submit_form',
    description: 'Fills in a form.',
    input: z.object({
      form_id: recordId,
      email: z.email(),
      answers: z.array(z.object({ question_id: recordId, value: text })).max(50),
    }),
    run: ({ form_id, email, answers }, state) => {
      if (existing(state, 'forms', form_id).status !== 'open')
        throw new ToolError(`The form ${form_id} is closed.`);
      const id = state.newId('sub');
      state.insert('submissions', { id, form_id, email, status: 'new', submitted_at: state.now() });
      for (const { question_id, value } of answers) {
        if (existing(state, 'questions', question_id).form_id !== form_id)
          throw new ToolError(`${question_id} is no question of ${form_id}.`);
        state.insert('answers', { id: `${id}.${question_id}`, submission_id: id, question_id, value });
      }
      return { id, answers: answers.length };
    },
  }),
  changeTool({
    name: 'set_submission_status',
    description: 'Changes the status of a submission.',
    table: 'submissions',
    fields: { status: submissionStatus },
  }),
  deleteTool({
    name: 'delete_submission',
    description: 'Deletes a submission with its answers.',
    table: 'submissions',
    also: { answers: 'submission_id' },
  }),
  defineTool({
    name: 'clear_submissions',
    description: 'Deletes all submissions of a form.',
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      existing(state, 'forms', id);
      state.run(
        'DELETE FROM answers WHERE submission_id IN (SELECT id FROM submissions WHERE form_id = ?)',
        id,
      );
      return { id, deleted: state.run('DELETE FROM submissions WHERE form_id = ?', id) };
    },
  }),
  createTool({
    name: 'add_collaborator',
    description: 'Lets somebody see or change a form and its submissions.',
    table: 'collaborators',
    prefix: 'col',
    fields: { form_id: recordId, email: z.email(), role: z.enum(['viewer', 'editor']) },
    references: { form_id: 'forms' },
  }),
  deleteTool({ name: 'remove_collaborator', description: 'Removes a collaborator.', table: 'collaborators' }),
  createTool({
    name: 'add_notification',
    description: 'Sends each new submission to an address.',
    table: 'notifications',
    prefix: 'not',
    fields: { form_id: recordId, email: z.email() },
    references: { form_id: 'forms' },
  }),
  deleteTool({ name: 'delete_notification', description: 'Deletes a notification.', table: 'notifications' }),
  createTool({
    name: 'set_webhook',
    description: 'Sends each new submission to a web address.',
    table: 'webhooks',
    prefix: 'hook',
    fields: { form_id: recordId, url: z.url() },
    references: { form_id: 'forms' },
  }),
  defineTool({
    name: 'send_form',
    description: 'Invites people by mail to fill in a form.',
    input: z.object({ id: recordId, recipients: z.array(z.email()).min(1).max(50), body: text }),
    run: ({ id, recipients, body }, state) => {
      existing(state, 'forms', id);
      const sent = { id: state.newId('mail'), form_id: id, recipients: recipients.join(', ') };
      state.insert('mails', { ...sent, body, sent_at: state.now() });
      return sent;
    },
  }),
  defineTool({
    name: 'export_submissions',
    description: 'Sends all submissions of a form as a table to an address.',
    input: z.object({ id: recordId, recipient: z.email() }),
    run: ({ id, recipient }, state) => {
      existing(state, 'forms', id);
      const rows = state.all('SELECT id, email FROM submissions WHERE form_id = ? ORDER BY id', id);
      const content = rows
        .map((row) => {
          const values = answersOf(state, String(row.id)).map(({ value }) => String(value));
          return [String(row.email), ...values].join(';');
        })
        .join('\n');
      const made = { id: state.newId('exp'), form_id: id, recipient, made_at: state.now() };
      state.insert('exports', { ...made, content });
      return { ...made, rows: rows.length };
    },
  }),
];

export const formTools: EnvironmentTool[] = [...reading, ...writing];
