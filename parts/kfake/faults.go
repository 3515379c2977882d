package main

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

type kind string

const (
	errorCode   kind = "error" // the broker answers each topic or resource with it and does nothing (with REQUEST_TIMED_OUT, 7, it does the work)
	hang        kind = "hang"  // the request is read, not carried out and not answered
	closeBefore kind = "close" // the connection is closed, and nothing is carried out
	closeAfter  kind = "after" // it is carried out, and the connection is closed in place of the answer
)

type fault struct {
	api  kmsg.Key
	kind kind
	skip int // so many requests are served before it begins
	left int
}

// faults counts requests and says which of them fails how. A Metadata request that names no topic is not subject to faults: clients send those in the
// background.
type faults struct {
	lock    sync.Mutex
	waiting []*fault
	answers []*kfake.FaultHandle
	counts  map[string]int
	ours    atomic.Int32 // calls of the control server that are under way; what its client requests does not fail
}

func (f *faults) take(request kmsg.Request) kind {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.counts == nil {
		f.counts = map[string]int{}
	}
	f.counts[kmsg.NameForKey(request.Key())]++
	if metadata, is := request.(*kmsg.MetadataRequest); is && len(metadata.Topics) == 0 {
		return ""
	}
	for i, each := range f.waiting {
		if each.api.Int16() == request.Key() {
			if each.skip > 0 {
				each.skip--
				return ""
			}
			if each.left--; each.left == 0 {
				f.waiting = slices.Delete(f.waiting, i, i+1)
			}
			return each.kind
		}
	}
	return ""
}

func (f *faults) add(cluster *kfake.Cluster, api kmsg.Key, kind kind, code int16, skip, count int) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	switch kind {
	case errorCode:
		err, known := kerr.ErrorForCode(code).(*kerr.Error)
		if !known {
			return fmt.Errorf("no error of Kafka has the code %d", code)
		}
		foreign := func(kmsg.Request) bool { return f.ours.Load() == 0 }
		f.answers = append(f.answers, cluster.Fault(kfake.Fault{Keys: []kmsg.Key{api}, Err: err, Count: count, When: foreign}))
	case hang, closeBefore, closeAfter:
		f.waiting = append(f.waiting, &fault{api, kind, skip, count})
	default:
		return fmt.Errorf("kind must be error, hang, close or after, and is %q", kind)
	}
	return nil
}

func (f *faults) clear() {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.waiting = nil
	for _, each := range f.answers {
		each.Remove()
	}
	f.answers = nil
}

func (f *faults) requests() map[string]int {
	f.lock.Lock()
	defer f.lock.Unlock()
	copied := map[string]int{}
	for name, count := range f.counts {
		copied[name] = count
	}
	return copied
}
