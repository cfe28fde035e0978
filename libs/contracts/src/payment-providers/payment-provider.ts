/** How a provider works is known only to its folder in the orders service. */
export interface PaymentProviderDefinition {
  /** Stored with every attempt, notification and event, so it never changes. */
  readonly name: string;
  readonly label: string;
  /** The orders service and the gateway read `<prefix>_MODE` and `<prefix>_SIMULATOR_URL`. */
  readonly settingsPrefix: string;
  /** By mode. A further mode, `simulator`, uses the origin of `<prefix>_SIMULATOR_URL`. */
  readonly checkoutOrigins: Readonly<Record<string, string>>;
  /** The address of the screen for the account that receives payments. */
  readonly receiverScreen: string;
  readonly notificationCall: {
    readonly at: `POST /${string}`;
    readonly id: string;
    readonly summary: string;
    /** In lower case: the headers that carry the notification's signature. */
    readonly headers: readonly string[];
  };
}
