#include <stdio.h>
#include "queue.h"

#define CAPACITY 16
#define NEXT(i) (((i) + 1) % CAPACITY)

typedef struct node {
    int value;
    struct node *next;
} node_t;

enum color { RED, GREEN };

static int count = 0;

int queue_size(const struct queue *q);

/* Adds a value. */
static node_t *queue_push(struct queue *q, int value)
{
    node_t *fresh = malloc(sizeof(node_t));
    fresh->value = NEXT(value);
    queue_grow(q);
    return fresh;
}

struct queue {
    node_t *head;
};
