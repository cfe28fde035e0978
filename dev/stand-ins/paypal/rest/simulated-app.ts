/** The app that every simulator has, so that a site without credentials of its own can use the REST API. */
export const simulatedApp = {
  clientId: 'simulated-app',
  clientSecret: 'simulated-secret',
  webhookId: 'SIMULATEDWEBHOOK1',
} as const;
