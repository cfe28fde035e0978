import { runService } from '#libs/platform';
import { AppModule } from './app.module.js';
import { identityConfig } from './config.js';

const config = identityConfig();
await runService({ name: 'identity', config, module: AppModule.forRoot(config) });
