export interface Protocol {
  /** Whether an answer with this status ends the repetition. */
  accepts(status: number): boolean;
  /** The pause before a repetition, counted from 0; null after the last one. */
  pauseMs(repetition: number): number | null;
}

/** The pauses double from ten seconds, so that the fifteenth and last repetition comes within four days, as PayPal documents. */
export const ipnProtocol: Protocol = {
  accepts: (status) => status === 200,
  pauseMs: (repetition) => (repetition < 15 ? 10_000 * 2 ** repetition : null),
};

/**
 * PayPal repeats a webhook 25 times within three days. It does not document the intervals; here they double, up to four and a half hours. PayPal does
 * not document whether it signs a repetition again. Here, a repetition has the transmission id, time and signature of the first attempt: the harder
 * case for a listener that limits the age of a transmission.
 */
export const webhookProtocol: Protocol = {
  accepts: (status) => status >= 200 && status < 300,
  pauseMs: (repetition) => (repetition < 25 ? Math.min(10_000 * 2 ** repetition, 4.5 * 3_600_000) : null),
};
