import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { grouped, openToAll, operation, relay } from '#libs/contracts';
import { Serves } from './serves.js';

const operations = grouped('Notes', {
  readNote: operation({
    at: 'GET /note/:id',
    summary: 'One note',
    policy: openToAll,
    answer: z.object({ text: z.string(), place: z.string().optional() }),
  }),
  countNotes: relay({
    at: 'GET /note-count',
    pattern: 'content.countNotes',
    summary: 'The number of notes',
    policy: openToAll,
    answer: z.object({ count: z.int() }),
  }),
});

test('a controller needs handlers only for the operations that are not relayed', () => {
  @Serves(operations)
  class Notes {
    readNote({ id }: { id: string }) {
      return { text: id };
    }
  }
  expect(Object.getOwnPropertyNames(Notes.prototype)).toEqual(['constructor', 'readNote']);
});

// The type check fails if the error below an `@ts-expect-error` does not occur.
test('a controller without a handler for an operation does not compile, and is refused when it is loaded', () => {
  expect(() => {
    // @ts-expect-error Nothing handles readNote.
    @Serves(operations)
    class Handlerless {
      readNotes() {
        return { text: 'a note' };
      }
    }
    return Handlerless;
  }).toThrow('GET /note/:id has no handler named readNote');
});

// The classes below are exported because the type check would report unused ones.

// @ts-expect-error The handler takes another input.
@Serves(operations)
export class TakesNumber {
  readNote({ id }: { id: number }) {
    return { text: String(id) };
  }
}

// @ts-expect-error The handler leaves out a required field of the answer.
@Serves(operations)
export class LeavesOutText {
  readNote() {
    return { place: 'the desk' };
  }
}

// @ts-expect-error The handler returns an undeclared field, here a misspelled optional one.
@Serves(operations)
export class ReturnsUndeclared {
  async readNote() {
    return { text: 'a note', plaice: 'the desk' };
  }
}
