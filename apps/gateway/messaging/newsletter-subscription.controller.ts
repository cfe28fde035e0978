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
    return this.pages.answerGet('confirm', query, context, () => this.read('confirm', query, context));
  }

  getUnsubscribing(query: PageInput, context: Context): Promise<void> {
    return this.pages.answerGet('unsubscribe', query, context, () =>
      this.read('unsubscribe', query, context),
    );
  }

  confirmSubscription({ token }: ActionInput, context: Context): Promise<void> {
    return this.pages.answerPost('confirm', { token }, context, () =>
      this.rpc.call(messagingContract.confirmSubscription, consentInput(token, context), context.caller),
    );
  }

  unsubscribe({ token, campaign }: ActionInput, context: Context): Promise<void> {
    return this.pages.answerPost('unsubscribe', { token }, context, () =>
      this.rpc.call(messagingContract.unsubscribe, { token: truncateToken(token), campaign }, context.caller),
    );
  }

  subscribeAgain({ token }: ActionInput, context: Context): Promise<void> {
    // With `asked`, the page tells the person to confirm with the link in a mail.
    return this.pages.answerPost('unsubscribe', { token, asked: 'yes' }, context, () =>
      this.rpc.call(messagingContract.subscribeAgain, consentInput(token, context), context.caller),
    );
  }

  private read(
    link: NewsletterLink,
    { token }: PageInput,
    { caller }: Context,
  ): Promise<NewsletterSubscription> {
    return this.rpc.call(
      messagingContract.getNewsletterSubscription,
      { link, token: truncateToken(token) },
      caller,
    );
  }
}

/** Messaging would refuse a longer token as invalid input; a truncated one is unknown (NOT_FOUND). Genuine tokens are shorter. */
const truncateToken = (token: string) => token.slice(0, 200);

/** Includes the IP address, as evidence of the consent. */
const consentInput = (token: string, { request }: Context) => ({
  token: truncateToken(token),
  ip: clientAddress(request),
});
