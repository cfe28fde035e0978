// The names of e-mails by template. No schemas here, because the browser loads this file.

/** Admins can change the texts of these e-mails, and switch them off for everyone. */
export const notificationEmails = {
  orderPlaced: 'Order placed',
  orderPaid: 'Order paid',
  orderCancelled: 'Order cancelled',
  orderRefunded: 'Order refunded',
  orderPartlyRefunded: 'Order partly refunded',
  orderPaidTwice: 'Order paid twice',
  orderPaymentFailed: 'Order payment failed',
  orderDelivered: 'Order delivered',
  planChargeFailed: 'Monthly plan charge failed',
  planChargeReminder: 'Monthly plan charge reminder',
  planSuspended: 'Monthly plan suspended',
  planRecovered: 'Monthly plan charge received late',
  planCancelled: 'Monthly plan cancelled',
  planResumed: 'Monthly plan resumed',
  planPaused: 'Monthly plan paused',
  planEnded: 'Monthly plan ended',
  planPriceAnnounced: 'Monthly plan price change announced',
  planPriceApprovable: 'Monthly plan price change ready to approve',
  planChangeApproved: 'Monthly plan change approved',
  paymentFlagged: 'Payment needs attention',
  projectOpened: 'Project opened',
  projectDelivered: 'Project work delivered',
  projectReminder: 'Project reminder',
  projectMessages: 'New project messages',
  projectOnHold: 'Project on hold',
  projectClosed: 'Project closed',
  messageReceived: 'New contact message',
  messageAcknowledged: 'Contact message acknowledged',
  newSignIn: 'New sign-in',
} as const;
export type NotificationEmail = keyof typeof notificationEmails;

/** `confirmSubscription` cannot be switched off: nobody could sign up for the newsletter without it. */
export const customizableMails = {
  ...notificationEmails,
  confirmSubscription: 'Newsletter confirmation',
} as const;
export const customizableMailNames = Object.values(customizableMails);
export type CustomizableMail = keyof typeof customizableMails;

/**
 * E-mails to admins, with a fixed text. Each admin can switch off those about orders, plans and projects. Of the mails whose text can be changed,
 * admins get `paymentFlagged` and `messageReceived`.
 */
export const adminMails = {
  adminOrderPlaced: 'New order',
  adminOrderPaid: 'Payment received',
  // Not for a refund that cancels the order: admins then get `paymentFlagged`.
  adminOrderRefunded: 'Partial refund',
  adminPlanStopped: 'Monthly plan stopped',
  adminProjectBrief: 'Project brief completed',
  adminProjectChanges: 'Project changes requested',
  adminProjectAccepted: 'Project work accepted',
  adminProjectMessages: 'New messages from a customer',
  paymentReceiverChanged: 'Payment account changed',
  adminListChanged: 'Admins changed',
} as const;
export type AdminMail = keyof typeof adminMails;

export const fixedMails = {
  ...adminMails,
  verifyEmail: 'Confirm address',
  resetPassword: 'Reset password',
  changeEmail: 'Confirm new address',
  emailChanged: 'Address changed',
  passwordChanged: 'Password changed',
  accountDeleted: 'Account deleted',
  secondFactorChanged: 'Sign-in method changed',
  adminInvitation: 'Admin invitation',
  teamInvitation: 'Team invitation',
  messageReply: 'Reply to a message',
  campaign: 'Newsletter',
  campaignTest: 'Newsletter test',
  mailTemplateTest: 'Mail template test',
} as const;
