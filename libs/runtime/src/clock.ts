/** Rules that depend on the time inject a clock, so that a test can move it. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}

/** `seconds` may be negative. */
export function addSeconds(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
