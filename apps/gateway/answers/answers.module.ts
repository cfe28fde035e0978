import { Module } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { checkoutOriginsOf } from '../checkout-settings.js';
import { Cors } from './cors.js';
import { PictureUrls } from './picture-urls.js';
import { SECURITY_HEADERS, securityHeaders } from './security-headers.js';
import { SiteAddress } from './site-address.js';
import { StoredAnswerSender } from './stored-answer.sender.js';

const provided = [
  {
    provide: SiteAddress,
    inject: [GATEWAY_CONFIG],
    useFactory: ({ PUBLIC_URL }: GatewayConfig) => new SiteAddress(PUBLIC_URL),
  },
  {
    provide: Cors,
    inject: [GATEWAY_CONFIG],
    useFactory: ({ CORS_ORIGINS }: GatewayConfig) => new Cors(CORS_ORIGINS),
  },
  {
    provide: SECURITY_HEADERS,
    inject: [GATEWAY_CONFIG, SiteAddress],
    useFactory: (config: GatewayConfig, siteAddress: SiteAddress) =>
      securityHeaders({
        secure: siteAddress.isSecure,
        mapUrl: config.MAP_EMBED_URL,
        checkoutOrigins: checkoutOriginsOf(config),
      }),
  },
  PictureUrls,
  StoredAnswerSender,
];

@Module({ providers: provided, exports: provided })
export class AnswersModule {}
