import type { SelectQueryBuilder } from 'typeorm';
import { containing } from '#libs/database';
import type { ProjectEntity } from './project.entity.js';

/* These conditions are for queries in which the alias of a project is `p`. */

/** Projects whose title, package, customer's name or e-mail address contains the text, or whose number it is (`1042`, `#1042`). */
export function filterByText(query: SelectQueryBuilder<ProjectEntity>, text: string): void {
  const number = /^#?(\d{1,15})$/.exec(text.trim())?.[1];
  const byNumber = number === undefined ? '' : ' OR p.number = :number';
  query.andWhere(`(p.searchText LIKE lower(:pattern)${byNumber})`, { pattern: containing(text), number });
}

export function filterByOrder(query: SelectQueryBuilder<ProjectEntity>, orderId: string): void {
  query.andWhere('p.id IN (SELECT o.project_id FROM project_orders o WHERE o.order_id = :orderId)', {
    orderId,
  });
}
