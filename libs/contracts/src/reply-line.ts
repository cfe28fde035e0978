/** The first line of mails that can be replied to. In a reply, the quoted mail usually comes below it. */
export const replyLine = 'Please write your reply above this line';
