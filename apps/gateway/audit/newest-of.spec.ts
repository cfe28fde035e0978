import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AuditEntry } from '#libs/contracts';
import { newestOf } from './newest-of.js';

test('the pages of the audit log contain the entries of all services, each once, newest first', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 100, max: 999 }), { maxLength: 40 });
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 7 }), (numbers, limit) => {
      const services = [0, 1, 2, 3].map((service) =>
        numbers.filter((number) => number % 4 === service).sort((a, b) => b - a),
      );
      const listsBefore = (cursor: number | undefined) =>
        services.map((known) =>
          known
            .filter((number) => cursor === undefined || number < cursor)
            .slice(0, limit + 1)
            .map((number) => ({ _id: String(number) }) as AuditEntry),
        );
      const seen: string[] = [];
      for (let cursor: number | undefined, older = true; older; cursor = Number(seen.at(-1))) {
        const page = newestOf(listsBefore(cursor), limit);
        seen.push(...page.entries.map(({ _id }) => _id));
        older = page.hasOlder;
      }
      expect(seen).toEqual([...numbers].sort((a, b) => b - a).map(String));
    }),
  );
});
