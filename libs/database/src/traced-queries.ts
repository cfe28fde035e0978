import pg from 'pg';
import { failureOf, type Span, tracing } from '#libs/transport';

type Query = (...args: unknown[]) => unknown;
type Done = (error: unknown, result: unknown) => void;

const maxTextLength = 500;
let traced = false;

/**
 * Gives each statement within a span a span of its own, with the beginning of its text. Parameters are left out, because they may be personal data.
 * Values written into the text are not hidden.
 */
export function traceQueries(): void {
  if (traced) return;
  traced = true;
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  client.query = function (this: unknown, ...args: unknown[]) {
    const text = textOf(args[0]);
    const span = text === undefined ? undefined : tracing.current?.begin(describeQuery(text));
    if (!span) return query.apply(this, args);
    return span.run(() => {
      const done = args.at(-1);
      if (typeof done === 'function') {
        return query.apply(this, [...args.slice(0, -1), ending(span, done as Done)]);
      }
      const result = query.apply(this, args) as Promise<unknown>;
      result.then(
        () => span.end(),
        (error: unknown) => span.end(failureOf(error)),
      );
      return result;
    });
  };
}

function ending(span: Span, done: Done): Done {
  return (error, result) => {
    span.end(error ? failureOf(error) : undefined);
    done(error, result);
  };
}

/** Undefined for streams (COPY, cursors), whose end is not reported here. */
function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement;
  const { text, submit } = (statement ?? {}) as { text?: unknown; submit?: unknown };
  return typeof text === 'string' && typeof submit !== 'function' ? text : undefined;
}

function describeQuery(text: string) {
  const plain = text.replace(/\s+/g, ' ').trim();
  const operation = /^\w+/.exec(plain)?.[0].toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': plain.slice(0, maxTextLength) };
  return { kind: 'client', name: operation, attributes } as const;
}
