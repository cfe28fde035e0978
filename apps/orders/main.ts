import { runService } from '#libs/platform';
import { AppModule } from './app.module.js';
import { readOrdersConfig } from './config.js';

const config = readOrdersConfig();
await runService({ name: 'orders', config, module: AppModule.forRoot(config) });
