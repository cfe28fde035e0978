import { allSections } from '#libs/content-model';
import { sampleBody } from '#libs/testing';
import type { Operation } from '#libs/contracts';
import { operations } from '#libs/operations';

export const unknownId = '019a0000-0000-7000-8000-00000000dead';

/** Every call whose method is not GET, except those that take raw bytes, which have tests of their own. */
export const writes: readonly Operation[] = operations.filter(
  ({ method, rawBody, streamedBody }) => method !== 'GET' && !rawBody && !streamedBody,
);

export interface SampleRequest {
  method: string;
  path: string;
  body?: Record<string, unknown>;
  /** Sent instead of a JSON body. */
  bytes?: Buffer;
}

export interface SampleOptions {
  /** Makes bodies differ from each other. */
  mark?: string;
  /** The customer's e-mail address in an order. */
  email?: string;
}

/**
 * A request whose query and body are valid. It may be refused nevertheless: no record has its id, and its tokens, codes and current passwords are
 * wrong. A call with a JSON body needs a row in `bodies`, except the calls of content sections.
 */
export function sampleRequest(
  { method, path, operationId, body, streamedBody }: Operation,
  { mark = 'a', email = 'nobody@example.com' }: SampleOptions = {},
): SampleRequest {
  const query = queries[operationId] ?? '';
  const target = path.replace(':section', 'banner').replace(/:\w+/g, unknownId) + query;
  if (streamedBody) return { method, path: target, bytes: samplePicture };
  if (operationId === 'importSubscribers')
    return { method, path: target, bytes: Buffer.from(`fair-${mark}@example.com`) };
  if (!body) return { method, path: target };
  const section = allSections.find(({ routes }) =>
    ([routes.create, routes.update] as string[]).includes(path),
  );
  const sample = section ? sampleBody(section, mark) : bodies[operationId]?.(mark, email);
  if (!sample) throw new Error(`${operationId} has no sample body in sample-requests.ts`);
  return { method, path: target, body: sample };
}

const queries: Record<string, string> = {
  importSubscribers: '?consent=A+fair',
  downloadInvoicesOfMonth: '?month=2026-11',
  previewPriceChange: '?packageName=Basic',
  previewPlanChange: '?packageName=Basic',
};

/** The smallest GIF. */
const samplePicture = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const credentials = (mark: string) => ({
  email: `somebody-${mark}@example.com`,
  password: 'correct horse battery',
});
const adminUser = (mark: string) => ({ userEmail: `admin-${mark}@example.com`, userRole: 'Admin' });
const paypalEmail = (mark: string) => ({ paypalEmail: `shop-${mark}@example.com` });

const campaign = (mark: string) => ({ subject: `News ${mark}`, preheader: '', body: `Hello ${mark}.` });

const mailWording = (mark: string) => ({ template: 'orderPlaced', subject: `Thanks ${mark}`, text: '' });

/** Looks like the answer of an authenticator, but is not one. */
const invalidPasskey = { id: 'x', response: { clientDataJSON: '' } };

const bulkBody = () => ({ ids: [unknownId] });

const bodies: Record<string, (mark: string, email: string) => Record<string, unknown>> = {
  createAdminUser: adminUser,
  updateAdminUser: adminUser,
  createAdminInvitation: (mark) => ({ email: `invited-${mark}@example.com` }),
  readAdminInvitation: () => ({ token: 'of no invitation' }),
  acceptAdminInvitation: () => ({ token: 'of no invitation' }),
  joinByAdminInvitation: () => ({ token: 'of no invitation', password: 'correct horse battery' }),
  updateNotificationSettings: (mark) => ({
    newOrders: mark === 'a',
    payments: true,
    refunds: true,
    reviews: true,
    messages: true,
    projects: true,
    projectMessages: true,
  }),
  createSubscriber: (mark) => ({ email: `reader-${mark}@example.com` }),
  createMessage: (mark) => ({
    fullName: 'Ada Lovelace',
    emailAddress: 'ada@example.com',
    subject: `An engine ${mark}`,
    message: 'How much?',
    messageStatus: 'UnRead',
  }),
  createCampaign: campaign,
  updateCampaign: campaign,
  previewCampaign: campaign,
  previewMailTemplate: mailWording,
  testMailTemplate: mailWording,
  sendCampaign: () => ({ at: '2099-12-24T18:00:00Z' }),
  updateImage: (mark) => ({ name: `picture-${mark}.png`, alt: 'A picture' }),
  updateMessage: () => ({ messageStatus: 'Read' }),
  replyToMessage: (mark) => ({ text: `Thank you ${mark}.` }),
  addMessageNote: (mark) => ({ text: `Called back ${mark}.` }),
  setMessageAnswered: () => ({ answered: true }),
  updateMessages: () => ({ ...bulkBody(), messageStatus: 'Read' }),
  deleteMessages: bulkBody,
  restoreMessages: bulkBody,
  deleteSubscribers: bulkBody,
  restoreSubscribers: bulkBody,
  addCustomerNote: (mark) => ({ text: `Prefers to be called ${mark}.` }),
  addOrderNote: (mark) => ({ text: `Wants the report by Friday ${mark}.` }),
  updateOrdersPaymentStatus: () => ({ ...bulkBody(), paymentStatus: 'Paid', reason: 'Paid in cash' }),
  updateOrdersStatus: () => ({ ...bulkBody(), orderStatus: 'Delivered' }),
  createOrder: (mark, email) => ({
    // The demo content has this package.
    packageName: 'Basic',
    packagePrice: '290.00',
    customerEmail: email,
    customerName: `Customer ${mark}`,
    customerAddress: '1 Main Street',
    customerCountry: 'Portugal',
    paymentStatus: 'UnPaid',
    orderStatus: 'Pending',
  }),
  cancelPlanSubscription: () => ({ when: 'at_end' }),
  startPlanChange: () => ({ packageName: 'Basic', packagePrice: '290.00' }),
  updateBillingDetails: (mark) => ({
    ...{ company: `Company ${mark}`, addressLine1: '', addressLine2: '', postalCode: '', city: '' },
    ...{ countryCode: 'DE', vatId: 'DE123456789' },
  }),
  checkVatId: () => ({ vatId: 'DE123456789' }),
  quoteTax: () => ({ packageName: 'Basic', packagePrice: '290.00', customerCountry: 'Germany' }),
  announcePriceChange: () => ({ packageName: 'Basic', packagePrice: '290.00' }),
  moveRecord: () => ({ before: 'end' }),
  postponeSetupStep: () => ({ step: 'team', postponed: true }),
  restoreDemoContent: bulkBody,
  updateOrderPaymentStatus: () => ({ paymentStatus: 'Paid', reason: 'Paid in cash' }),
  updateOrderStatus: () => ({ orderStatus: 'Delivered' }),
  cancelOrder: () => ({ paymentStatus: 'Cancelled' }),
  requestChanges: () => ({ reason: 'Please leave out the last page.' }),
  saveBrief: () => ({ answers: {} }),
  completeBrief: () => ({ answers: {} }),
  updateProject: (mark) => ({ title: `SEO audit ${mark}` }),
  setProjectState: () => ({ state: 'on_hold', reason: 'We wait for your developer.' }),
  updateChecklist: (mark) => ({ items: [{ text: `Crawl the site ${mark}`, done: false }] }),
  deliver: (mark) => ({ text: `Your audit ${mark}.`, links: ['https://example.com/audit'] }),
  updateProjectTemplate: (mark) => ({
    questions: [{ id: 'site', label: `The address of your site ${mark}`, kind: 'url', required: true }],
    checklist: ['Crawl the site'],
    deliveryDays: 10,
  }),
  updateProjectSettings: () => ({ remindAfterDays: 7, remindBriefAfterDays: 3 }),
  createReportLink: (mark) => ({ label: `The board ${mark}`, days: 30 }),
  readSharedReport: () => ({ token: 'x'.repeat(43) }),
  createPaypalEmail: paypalEmail,
  updatePaypalEmail: paypalEmail,
  requestRefund: () => ({
    txnId: '2GG279541U471931P',
    amount: '10.00',
    reason: 'One week was not delivered.',
  }),
  updateInvoiceSettings: (mark) => ({
    ...{ name: `Northwind Ltd ${mark}`, addressLine1: '5 Quay Street', city: 'Dublin', countryCode: 'IE' },
  }),
  previewInvoice: () => ({
    name: 'Northwind Ltd',
    addressLine1: '5 Quay Street',
    city: 'Dublin',
    countryCode: 'IE',
  }),
  correctInvoice: (mark) => ({ name: 'Ada Lovelace', company: `Engines ${mark}`, countryCode: 'GB' }),
  postMessage: (mark) => ({ text: `When do you begin ${mark}?` }),
  editMessage: (mark) => ({ text: `When did you begin ${mark}?` }),
  markRead: () => ({ seq: 1 }),
  postStaffMessage: (mark) => ({ text: `Tomorrow ${mark}.` }),
  editStaffMessage: (mark) => ({ text: `Today ${mark}.` }),
  postNote: (mark) => ({ text: `A careful customer ${mark}.` }),
  editNote: (mark) => ({ text: `A very careful customer ${mark}.` }),
  markStaffRead: () => ({ seq: 1 }),
  updateTeamName: (mark) => ({ name: `Ada Lovelace ${mark}` }),
  createTeamInvitation: (mark) => ({
    email: `colleague-${mark}@example.com`,
    name: 'Grace Hopper',
    role: 'member',
  }),
  changeTeamRole: () => ({ role: 'billing' }),
  readTeamInvitation: () => ({ token: 'of no invitation' }),
  acceptTeamInvitation: () => ({ token: 'of no invitation' }),
  returnFromPayment: (mark) => ({ tx: `TRANSACTION${mark}` }),
  verifyEmail: () => ({ token: 'of no link' }),
  resetPassword: () => ({ token: 'of no link', password: 'correct horse battery' }),
  forgotPassword: (mark) => ({ email: `forgetful-${mark}@example.com` }),
  changePassword: () => ({ currentPassword: 'not the password', password: 'correct horse battery' }),
  changeEmail: (mark) => ({ email: `next-${mark}@example.com`, currentPassword: 'not the password' }),
  deleteAccount: () => ({ currentPassword: 'not the password' }),
  finishSignIn: () => ({ code: '123456' }),
  signInByPasskey: () => ({ passkey: invalidPasskey }),
  confirmSignIn: (mark) => ({ password: `a wrong password ${mark}` }),
  confirmTotp: () => ({ code: '123456' }),
  createPasskey: (mark) => ({ name: `Phone ${mark}`, passkey: invalidPasskey }),
  renamePasskey: (mark) => ({ name: `Phone ${mark}` }),
  setAdminRequirement: () => ({ required: false }),
  register: credentials,
  login: credentials,
};
