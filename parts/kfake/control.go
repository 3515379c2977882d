package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/plain"
)

// server answers on the control port, in JSON or with 409 and the error:
//
//	GET /topics                            {NAME: {partitions, replicas, records, configs}}
//	POST /topics/NAME?partitions=N         others make it (replicas=N too); DELETE: they delete it
//	POST /topics/NAME/records?n=N          they produce
//	POST /topics/NAME/partitions?count=N   they grow it
//	POST /topics/NAME/config?key=K&value=V they configure it
//	POST /fault?api=NAME&kind=KIND&code=N&count=N  the next requests fail (faults.go); DELETE /fault: none does any more
//	GET /requests                          {API: how often clients have called it}
type server struct {
	cluster *kfake.Cluster
	wires   *network
	options []kgo.Opt
}

func newServer(cluster *kfake.Cluster, wires *network, user, password string) *server {
	options := []kgo.Opt{kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.Dialer(wires.dial), kgo.RecordPartitioner(kgo.RoundRobinPartitioner())}
	if user != "" {
		options = append(options, kgo.SASL(plain.Auth{User: user, Pass: password}.AsMechanism()))
	}
	return &server{cluster, wires, options}
}

// topic is what GET /topics tells of one.
type topic struct {
	Partitions int               `json:"partitions"`
	Replicas   int               `json:"replicas"`
	Records    int64             `json:"records"`
	Configs    map[string]string `json:"configs"`
}

// call answers a request. The client does what a test wants others to have done.
type call = func(context.Context, *kgo.Client, *http.Request) (any, error)

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, each := range map[string]call{
		"GET /topics":                    s.topics,
		"POST /topics/{name}":            s.create,
		"DELETE /topics/{name}":          s.remove,
		"POST /topics/{name}/records":    s.produce,
		"POST /topics/{name}/partitions": s.grow,
		"POST /topics/{name}/config":     s.configure,
		"POST /fault":                    s.fault,
		"DELETE /fault":                  s.clear,
		"GET /requests":                  s.requests,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, each) })
	}
	return mux
}

func (s *server) answer(w http.ResponseWriter, r *http.Request, handle call) {
	s.wires.faults.ours.Add(1)
	defer s.wires.faults.ours.Add(-1)
	client, err := kgo.NewClient(s.options...) // a new one: it remembers nothing of topics that are gone
	var answer any
	if err == nil {
		defer client.Close()
		answer, err = handle(r.Context(), client, r)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer)
}

func (s *server) topics(ctx context.Context, client *kgo.Client, _ *http.Request) (any, error) {
	names, err := kadm.NewClient(client).ListTopics(ctx)
	found := map[string]topic{}
	for name := range names {
		info := s.cluster.TopicInfo(name)
		if info == nil {
			continue
		}
		one := topic{Replicas: info.NumReplicas, Configs: map[string]string{}}
		for _, each := range s.cluster.PartitionInfos(name) {
			one.Partitions++
			one.Records += each.HighWatermark - each.LogStartOffset
		}
		for key, value := range info.Configs {
			if value != nil {
				one.Configs[key] = *value
			}
		}
		found[name] = one
	}
	return found, err
}

// number reads a parameter that must be one, and is `standard` where it is absent.
func number(r *http.Request, name string, standard int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return standard, nil
	}
	return strconv.Atoi(text)
}

func (s *server) create(ctx context.Context, client *kgo.Client, r *http.Request) (any, error) {
	partitions, bad := number(r, "partitions", -1)
	replicas, worse := number(r, "replicas", -1)
	if err := errors.Join(bad, worse); err != nil {
		return nil, err
	}
	_, err := kadm.NewClient(client).CreateTopic(ctx, int32(partitions), int16(replicas), nil, r.PathValue("name"))
	return nil, err
}

func (s *server) remove(ctx context.Context, client *kgo.Client, r *http.Request) (any, error) {
	_, err := kadm.NewClient(client).DeleteTopic(ctx, r.PathValue("name"))
	return nil, err
}

func (s *server) produce(ctx context.Context, client *kgo.Client, r *http.Request) (any, error) {
	count, err := number(r, "n", 1)
	var records []*kgo.Record
	for i := range count {
		records = append(records, &kgo.Record{Topic: r.PathValue("name"), Value: fmt.Appendf(nil, "record %d", i)})
	}
	return nil, errors.Join(err, client.ProduceSync(ctx, records...).FirstErr())
}

func (s *server) grow(ctx context.Context, client *kgo.Client, r *http.Request) (any, error) {
	count, err := number(r, "count", 0)
	if err != nil {
		return nil, err
	}
	answers, err := kadm.NewClient(client).UpdatePartitions(ctx, count, r.PathValue("name"))
	return nil, errors.Join(err, answers.Error())
}

func (s *server) configure(ctx context.Context, client *kgo.Client, r *http.Request) (any, error) {
	value := r.URL.Query().Get("value")
	change := []kadm.AlterConfig{{Op: kadm.SetConfig, Name: r.URL.Query().Get("key"), Value: &value}}
	answers, err := kadm.NewClient(client).AlterTopicConfigs(ctx, change, r.PathValue("name"))
	for _, each := range answers {
		err = errors.Join(err, each.Err)
	}
	return nil, err
}

func (s *server) fault(_ context.Context, _ *kgo.Client, r *http.Request) (any, error) {
	query := r.URL.Query()
	code, bad := number(r, "code", 0)
	count, worse := number(r, "count", 1)
	skip, worst := number(r, "skip", 0) // not with kind=error
	if err := errors.Join(bad, worse, worst); err != nil {
		return nil, err
	}
	for _, each := range []kmsg.Key{kmsg.CreateTopics, kmsg.CreatePartitions, kmsg.IncrementalAlterConfigs, kmsg.DeleteTopics, kmsg.DescribeConfigs,
		kmsg.Metadata, kmsg.ListOffsets} {
		if each.Name() == query.Get("api") {
			return nil, s.wires.faults.add(s.cluster, each, kind(query.Get("kind")), int16(code), skip, count)
		}
	}
	return nil, fmt.Errorf("there are no faults for the API %q", query.Get("api"))
}

func (s *server) clear(context.Context, *kgo.Client, *http.Request) (any, error) {
	s.wires.faults.clear()
	return nil, nil
}

func (s *server) requests(context.Context, *kgo.Client, *http.Request) (any, error) {
	return s.wires.faults.requests(), nil
}
