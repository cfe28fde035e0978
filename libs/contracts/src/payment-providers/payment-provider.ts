/** The facts about a payment provider that all processes and the browser need. Only its folder in the orders service knows how it works. */
export interface PaymentProviderFacts {
  /** Stored with every attempt, notification and event, so it never changes. */
  readonly name: string;
  /** The name that people know. */
  readonly label: string;
  /** The prefix of its settings. Orders and the gateway read `<prefix>_MODE` and `<prefix>_SIMULATOR_URL`. */
  readonly settingsPrefix: string;
  /** The origin of the checkout in each mode. A further mode, `simulator`, uses the origin of `<prefix>_SIMULATOR_URL`. */
  readonly checkoutOrigins: Readonly<Record<string, string>>;
  /** The address of the screen where admins see and set the account that receives payments. */
  readonly receiverScreen: string;
  /** The call through which the provider sends payment notifications. */
  readonly notificationCall: {
    readonly at: `POST /${string}`;
    /** Its OpenAPI operationId. */
    readonly id: string;
    readonly summary: string;
    /** Headers that belong to the notification, in lower case: those that carry its signature. */
    readonly headers: readonly string[];
  };
}
