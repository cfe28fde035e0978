import { DomainError } from '#libs/contracts';

/** The delay starts with this failure, so that people who mistype a few times do not have to wait. */
export const firstDelayedFailure = 5;
/** The delay doubles from one second up to this; nobody is ever locked out for longer. */
const maxDelaySeconds = 15 * 60;
const forgetAfterHours = 24;
/** After this long without an attempt the count starts again. */
export const forgetAttemptsAfterSeconds = forgetAfterHours * 60 * 60;

const isForgottenSql = `attempt.last_attempt_at <= EXCLUDED.last_attempt_at - interval '${forgetAfterHours} hours'`;

/**
 * The `SET` list of an upsert that counts a failure: columns `failures`, `last_attempt_at`, `blocked_until` of a table under the alias
 * `attempt`, into which a row with one failure at the present moment was to be inserted.
 */
export const countFailureSql = () => `
  failures = CASE WHEN ${isForgottenSql} THEN 1 ELSE attempt.failures + 1 END,
  last_attempt_at = EXCLUDED.last_attempt_at,
  blocked_until = EXCLUDED.last_attempt_at + make_interval(secs => CASE
    WHEN ${isForgottenSql} OR attempt.failures + 1 < ${firstDelayedFailure} THEN 0
    ELSE LEAST(${maxDelaySeconds}, power(2, LEAST(attempt.failures + 1 - ${firstDelayedFailure}, 30))) END)`;

export function blockedError(moment: Date, now: Date): DomainError {
  const waitSeconds = Math.ceil((moment.getTime() - now.getTime()) / 1000);
  return new DomainError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, waitSeconds) });
}
