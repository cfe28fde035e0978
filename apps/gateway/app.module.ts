import { fileURLToPath } from 'node:url';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { Logger } from 'pino';
import { IMAGE_STORAGE, imageStorage } from '#libs/image-storage';
import {
  accountOperations,
  adminUserOperations,
  campaignOperations,
  imageOperations,
  mailOperations,
  messageOperations,
  orderOperations,
  paymentOperations,
  providerOperations,
  secondFactorOperations,
  siteOperations,
  subscriberImportOperations,
  subscriberOperations,
} from '#libs/operations';
import { LOGGER } from '#libs/platform';
import { Broadcaster, RpcClient } from '#libs/transport';
import { Draining } from './answers/draining.js';
import { SECURITY_HEADERS, securityHeaders } from './answers/security-headers.js';
import { PictureAddresses } from './answers/picture-addresses.js';
import { SiteAddress } from './answers/site-address.js';
import { StoredAnswerSender } from './answers/stored-answer.sender.js';
import { AccessTokenStrategy } from './auth/access-token.strategy.js';
import { AccessTokens } from './auth/access-tokens.js';
import { AccountController } from './auth/account.controller.js';
import { SessionController } from './auth/session.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { GoogleController } from './auth/google.controller.js';
import { SignInStepsController } from './auth/sign-in-steps.controller.js';
import { SignInCookies } from './auth/sign-in-cookies.js';
import { SessionCookies } from './auth/cookies.js';
import { DeviceCookie } from './auth/device-cookie.js';
import { LiveSessions } from './auth/live-sessions.js';
import { OwnData } from './auth/own-data.js';
import { SigningKeys } from './auth/signing-keys.js';
import { GATEWAY_CONFIG, type GatewayConfig } from './config.js';
import { sectionControllers, SiteController } from './content/content.controllers.js';
import { ReadyAnswers } from './content/ready-answers.js';
import { SiteSnapshot } from './content/site-snapshot.js';
import { ImageFiles } from './images/image-files.js';
import { type ChildProgram, ImageProcessor } from './images/image-processor.js';
import { ImageSweeper } from './images/image-sweeper.js';
import { ImageUploads } from './images/image-uploads.js';
import { ImageController } from './images/image.controller.js';
import { RateLimits } from './limits/rate-limits.js';
import { RedisCounters } from './limits/redis-counters.js';
import { CampaignController } from './messaging/campaign.controller.js';
import { MailController } from './messaging/mail.controller.js';
import { MessageController } from './messaging/message.controller.js';
import { SubscriberController } from './messaging/subscriber.controller.js';
import { SubscriberImportController } from './messaging/subscriber-import.controller.js';
import { SubscriberImports } from './messaging/subscriber-imports.js';
import { SubscriptionController } from './messaging/subscription.controller.js';
import { SubscriptionPages } from './messaging/subscription-pages.js';
import { OrderController } from './orders/order.controller.js';
import { DocsController, SCALAR_SCRIPT } from './openapi/docs.controller.js';
import { Pages } from './pages/pages.js';
import { PreviewImages } from './pages/preview-images.js';
import { RenderedPages } from './pages/rendered-pages.js';
import { Renderer } from './pages/renderer.js';
import { WebBuilds } from './pages/web-builds.js';
import { WebProxy } from './pages/web-proxy.js';
import { checkoutOrigins } from './payments/checkout-settings.js';
import { notificationControllers } from './payments/payment-notification.controllers.js';
import { PaymentNotificationReceiver } from './payments/payment-notification.receiver.js';
import { Cors } from './policy/cors.js';
import { PolicyGuard } from './policy/policy.guard.js';
import { ProblemFilter } from './problem/problem.filter.js';
import { ProblemSender } from './problem/problem.sender.js';
import { AnswerInterceptor, INVALIDATIONS, type Invalidations } from './routing/answer.interceptor.js';
import { FrontDoor } from './routing/front-door.js';
import { relays } from './routing/serves.js';
import { SiteFiles } from './site-files/site-files.js';

/** The groups whose operations, or some of them, go to a service as they are. */
const relayed = [
  ...[accountOperations, secondFactorOperations, adminUserOperations],
  ...[
    subscriberOperations,
    subscriberImportOperations,
    messageOperations,
    mailOperations,
    campaignOperations,
  ],
  ...[orderOperations, ...providerOperations, paymentOperations, imageOperations, siteOperations],
];

/** What the process around the module provides. */
export interface GatewaySurroundings {
  config: GatewayConfig;
  logger: Logger;
  rpc: RpcClient;
  broadcaster: Broadcaster;
  /** What processes pictures, where it is not the compiled program. */
  imageChild?: ChildProgram;
  /** The path of the API reference's script, where it is not beside the compiled program. */
  scalarScript?: string;
}

@Module({})
export class AppModule {
  static with({
    config,
    logger,
    rpc,
    broadcaster,
    imageChild,
    scalarScript = fileURLToPath(new URL('./scalar.js', import.meta.url)),
  }: GatewaySurroundings): DynamicModule {
    const site = new SiteAddress(config.PUBLIC_URL);
    return {
      module: AppModule,
      controllers: [
        ...relayed.map(relays),
        ...[SessionController, AccountController, GoogleController, SignInStepsController],
        ...[
          SubscriberController,
          SubscriberImportController,
          SubscriptionController,
          MessageController,
          MailController,
          CampaignController,
        ],
        ...[OrderController, AuditController, ...notificationControllers],
        ...[ImageController, SiteController, DocsController, ...sectionControllers],
      ],
      providers: [
        { provide: GATEWAY_CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: RpcClient, useValue: rpc },
        { provide: Broadcaster, useValue: broadcaster },
        { provide: SiteAddress, useValue: site },
        { provide: Cors, useValue: new Cors(config.CORS_ORIGINS) },
        PictureAddresses,
        {
          provide: SECURITY_HEADERS,
          useValue: securityHeaders({
            secure: site.isSecure,
            mapUrl: config.MAP_EMBED_URL,
            checkoutOrigins: checkoutOrigins(config),
          }),
        },
        { provide: SCALAR_SCRIPT, useValue: scalarScript },
        { provide: IMAGE_STORAGE, useValue: imageStorage(config) },
        {
          provide: ImageProcessor,
          useValue: new ImageProcessor({
            limits: { maxPixels: config.IMAGE_LIMIT_MEGAPIXELS * 1e6 },
            ...(imageChild && { child: imageChild }),
          }),
        },
        { provide: APP_FILTER, useClass: ProblemFilter },
        PolicyGuard,
        { provide: APP_GUARD, useExisting: PolicyGuard },
        { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
        {
          provide: INVALIDATIONS,
          inject: [LiveSessions, SiteSnapshot],
          useFactory: (sessions: LiveSessions, content: SiteSnapshot): Invalidations => ({
            sessions: () => sessions.forgetAll(),
            siteContent: () => content.includeOwnWrite(),
          }),
        },
        PaymentNotificationReceiver,
        ...[ProblemSender, StoredAnswerSender, Draining, FrontDoor],
        ...[SiteSnapshot, ReadyAnswers],
        ...[AccessTokens, AccessTokenStrategy, SessionCookies, SignInCookies, SigningKeys, LiveSessions],
        ...[DeviceCookie, OwnData],
        ...[RateLimits, RedisCounters],
        ...[ImageUploads, ImageFiles, ImageSweeper],
        ...[
          Pages,
          RenderedPages,
          SubscriptionPages,
          SubscriberImports,
          PreviewImages,
          SiteFiles,
          Renderer,
          WebBuilds,
          WebProxy,
        ],
      ],
    };
  }
}
