import { pageRoutes } from './page.js';
import { privateScreens } from './private-routes.js';
import { notFound, publicPages } from './public-routes.js';

/** Every page of the site. The same objects serve the server and the browser. */
export const routes = pageRoutes([...publicPages, ...privateScreens, notFound]);
