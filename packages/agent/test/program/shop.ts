import { appendFileSync } from "node:fs";

/** What the program works on. Refunds are lines of `refunds.txt`. */
export const shop = {
  find: (order: string) => ({ order, item: "lamp", paid: 40 }),
  refund(order: string, amount: number) {
    appendFileSync("refunds.txt", `${order} ${amount}\n`);
    return `${order}: ${amount} refunded`;
  },
};
