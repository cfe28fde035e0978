import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { created, updated } from './answers.js';
import type { HandlerInput, Output } from './contract.js';
import { updateBody } from './inputs.js';
import { grouped, list, operation, relay, relayedIn } from './operation.js';
import { adminsOnly } from './policy.js';

const note = z.object({ _id: z.string(), text: z.string(), version: z.int() });
const shared = { summary: 'A test', policy: { ...adminsOnly, fresh: true } } as const;

const notes = grouped('Notes', {
  listNotes: list({
    ...shared,
    at: 'GET /notes',
    pattern: 'content.listNotes',
    filter: z.object({
      pinned: z.boolean().optional(),
      archived: z.boolean().default(false),
      rating: z.int().max(5).default(3),
      sort: z.enum(['text', 'date']).default('date'),
    }),
    record: note,
  }),
  updateNote: relay({
    ...shared,
    at: 'PUT /note/:id',
    pattern: 'content.updateNote',
    body: updateBody('NoteUpdate', { text: z.string() }),
    versioned: true,
    answer: updated(note),
  }),
});

describe('a relay is a contract with its service', () => {
  test('with the access of its policy, and a kind that follows from the method', () => {
    expect(notes.updateNote).toMatchObject({
      kind: 'command',
      access: 'admin',
      fresh: true,
      operationId: 'updateNote',
    });
    expect(notes.listNotes).toMatchObject({ kind: 'query', paged: true, operationId: 'listNotes' });
  });

  test('whose input is the path parameters, the body and the version in one object, and nothing else', () => {
    const input = { id: '1', text: 'new', ifVersion: 2 };
    expect(notes.updateNote.input.parse(input)).toEqual(input);
    expect(notes.updateNote.input.safeParse({ text: 'new' }).success).toBe(false);
    expect(notes.updateNote.body!.safeParse({ text: 'new', createdAt: 'now' }).data).toEqual({ text: 'new' });
    expect(notes.updateNote.input.safeParse({ ...input, createdAt: 'now' }).success).toBe(false);
  });

  test('whose input has parsed values instead of text, with defaults', () => {
    expect(notes.listNotes.query!.parse({ pinned: 'true', page: '2' })).toEqual({ pinned: true, page: 2 });
    expect(notes.listNotes.input.parse({ pinned: true, page: 2 })).toMatchObject({
      pinned: true,
      sort: 'date',
    });
  });

  test('whose query string may have booleans and numbers; for missing ones, only the input has the defaults', () => {
    expect(notes.listNotes.query!.parse({ archived: 'true', rating: '4' })).toEqual({
      archived: true,
      rating: 4,
    });
    expect(notes.listNotes.query!.parse({})).toEqual({});
    expect(notes.listNotes.query!.safeParse({ rating: '6' }).success).toBe(false);
    expect(notes.listNotes.input.parse({})).toMatchObject({ archived: false, rating: 3 });
  });
});

test('only the relays of a group are contracts', () => {
  const handled = operation({ ...shared, at: 'GET /other', answer: z.string() });
  expect(Object.keys(relayedIn({ ...notes, handled }))).toEqual(['listNotes', 'updateNote']);
});

// The type check fails where an expected error does not occur.
describe('what does not fit a relay does not compile', () => {
  test('a service that reads a field that the call does not take', () => {
    // @ts-expect-error -- the call takes `text`
    const handle = ({ txet }: HandlerInput<typeof notes.updateNote>) => txet as string;
    expect(handle({ id: '1', text: 'new' })).toBeUndefined();
  });

  test('a service with another output', () => {
    const record = { _id: '1', text: 'new', version: 2 };
    // @ts-expect-error -- `updated` takes the record, and whether it changed
    const output: Output<typeof notes.updateNote> = record;
    expect(notes.updateNote.output.safeParse(output).success).toBe(false);
  });

  test('an answer that needs an id, with a record that has none', () => {
    // @ts-expect-error -- `created` needs a record with an id
    expect(created(z.object({ text: z.string() })).form).toBe('created');
  });
});
