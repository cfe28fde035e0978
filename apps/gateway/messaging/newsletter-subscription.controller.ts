import {
  messagingContract,
  type NewsletterSubscription,
  type OperationInput,
  type NewsletterLink,
  newsletterSubscriptionOperations,
} from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { clientAddress } from '../limits/client-address.js';
import { type Context, Serves } from '../routing/serves.js';
import { NewsletterLinkPages } from './newsletter-link-pages.js';

type PageInput = OperationInput<typeof newsletterSubscriptionOperations.getConfirmation>;
type ActionInput = OperationInput<typeof newsletterSubscriptionOperations.confirmSubscription>;

@Serves(newsletterSubscriptionOperations)
export class NewsletterSubscriptionController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pages: NewsletterLinkPages,
  ) {}

  getConfirmation(query: PageInput, context: Context): Promise<void> {
    return this.pages.show('confirm', query, context, () => this.read('confirm', query, context));
  }

  getUnsubscribing(query: PageInput, context: Context): Promise<void> {
    return this.pages.show('unsubscribe', query, context, () => this.read('unsubscribe', query, context));
  }

  confirmSubscription({ token }: ActionInput, context: Context): Promise<void> {
    return this.pages.answer('confirm', { token }, context, () =>
      this.rpc.call(messagingContract.confirmSubscription, consentOf(token, context), context.caller),
    );
  }

  unsubscribe({ token, campaign }: ActionInput, context: Context): Promise<void> {
    return this.pages.answer('unsubscribe', { token }, context, () =>
      this.rpc.call(messagingContract.unsubscribe, { token: bounded(token), campaign }, context.caller),
    );
  }

  subscribeAgain({ token }: ActionInput, context: Context): Promise<void> {
    // The page then asks the person to confirm with the link in a mail.
    return this.pages.answer('unsubscribe', { token, asked: 'yes' }, context, () =>
      this.rpc.call(messagingContract.subscribeAgain, consentOf(token, context), context.caller),
    );
  }

  private read(
    link: NewsletterLink,
    { token }: PageInput,
    { caller }: Context,
  ): Promise<NewsletterSubscription> {
    return this.rpc.call(messagingContract.newsletterSubscription, { link, token: bounded(token) }, caller);
  }
}

/** Truncates the token to what messaging accepts. Valid tokens are shorter. */
const bounded = (token: string) => token.slice(0, 200);

/** Includes the IP address, as evidence of the consent. */
const consentOf = (token: string, { request }: Context) => ({
  token: bounded(token),
  ip: clientAddress(request),
});
