import { runService } from '#libs/platform';
import { AppModule } from './app.module.js';
import { readMessagingConfig } from './config.js';

const config = readMessagingConfig();
await runService({ name: 'messaging', config, module: AppModule.forRoot(config) });
