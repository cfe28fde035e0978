import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { fieldErrors } from './validation.js';

function errorsOf(schema: z.ZodType, input: unknown) {
  const parsed = schema.safeParse(input);
  if (parsed.success) throw new Error('the input was expected to be refused');
  return fieldErrors(parsed.error);
}

const order = z.strictObject({
  name: z
    .string('must be text')
    .min(3, 'must have at least 3 characters')
    .startsWith('A', 'must start with A'),
  address: z.strictObject({ city: z.string() }),
});

describe('fieldErrors', () => {
  test('names a nested field by its dotted path and calls an absent value required', () => {
    expect(errorsOf(order, { name: 'Anna', address: {} })).toEqual([
      { field: 'address.city', message: 'is required' },
    ]);
  });

  test('reports one error per field, the first', () => {
    expect(errorsOf(order, { name: 'b', address: { city: 'Oslo' } })).toEqual([
      { field: 'name', message: 'must have at least 3 characters' },
    ]);
  });

  test('reports each unknown key at its own path', () => {
    expect(errorsOf(order, { name: 'Anna', address: { city: 'Oslo', planet: 'Earth' }, x: 1, y: 2 })).toEqual(
      [
        { field: 'address.planet', message: 'is not a known field' },
        { field: 'x', message: 'is not a known field' },
        { field: 'y', message: 'is not a known field' },
      ],
    );
  });

  test('reports at most 20 errors, and cuts paths at 200 characters', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => [`key${index}`, 1]);
    const errors = errorsOf(order, { ...Object.fromEntries(keys), name: 'Anna', address: { city: 'Oslo' } });
    expect(errors.map(({ field }) => field)).toEqual(keys.slice(0, 20).map(([key]) => key));
    const [long] = errorsOf(order, { name: 'Anna', address: { city: 'Oslo' }, ['x'.repeat(90_000)]: 1 });
    expect(long!.field).toBe('x'.repeat(200));
  });

  test('reports an input of the wrong shape at the empty path', () => {
    expect(errorsOf(order, [])).toEqual([{ field: '', message: expect.stringContaining('expected object') }]);
  });

  test('reports the errors of the union branch with the fewest errors', () => {
    const choice = z.object({
      value: z.union([z.object({ a: z.string(), b: z.string() }), z.string('must be text')]),
    });
    expect(errorsOf(choice, { value: {} })).toEqual([{ field: 'value', message: 'must be text' }]);
    expect(errorsOf(choice, { value: { a: 'x' } })).toEqual([{ field: 'value.b', message: 'is required' }]);
  });

  test('reports one error, at the discriminator, if no branch of a union has the discriminator’s value', () => {
    const actor = z.discriminatedUnion('role', [
      z.object({ role: z.literal('a') }),
      z.object({ role: z.literal('b') }),
    ]);
    expect(errorsOf(actor, { role: 'c' })).toEqual([{ field: 'role', message: expect.any(String) }]);
  });
});
