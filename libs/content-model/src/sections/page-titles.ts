import { publicPageNames } from '#libs/contracts';
import { choice, longText, optional, text } from '../field.js';
import { defineCollection } from '../section.js';

/** For search results, link previews and the browser tab. Without a record or a value, the page's content is used. */
export const pageTitle = defineCollection({
  name: 'pageTitle',
  labels: { one: 'page title', many: 'page titles' },
  shownOn: publicPageNames,
  onePer: 'page',
  fields: {
    page: choice('Page', publicPageNames, {
      unique: true,
      help: 'Each page has one title and description. What you leave empty is taken from the page’s content.',
    }),
    title: optional(
      text('Title', {
        recommendedLength: 60,
        help: 'Shown in search results and in the browser tab. Leave empty to use the page’s heading and the site’s name.',
      }),
    ),
    description: optional(
      longText('Description', {
        recommendedLength: 160,
        help: 'Shown under the title in search results. Leave empty to use text from the page’s content.',
      }),
    ),
  },
  routes: {
    list: '/page-titles',
    one: '/page-title/:id',
    create: '/add-page-title',
    update: '/page-title/:id',
  },
  toasts: { created: 'Page Title is Added', updated: 'Page Title is Updated' },
  limit: publicPageNames.length,
});
